import { ErrandError } from '#errors';

/** One method of one path. */
export interface Endpoint<Answer> {
  readonly method: string;
  /** The path with its fields in braces: `/api/executions/{execution_id}`. */
  readonly path: string;
  readonly answer: Answer;
}

export type Params = Readonly<Record<string, string>>;

/** The endpoints of one address, and the values that the address holds in place of their fields. */
export interface Found<Answer> {
  readonly methods: () => readonly string[];
  /** Undefined when the address does not take the method. */
  readonly at: (method: string) => { readonly answer: Answer; readonly params: Params } | undefined;
}

/** An endpoint with the fields of its path. */
interface Leaf<Answer> {
  readonly answer: Answer;
  readonly fields: readonly string[];
}

interface Branch<Answer> {
  readonly named: Map<string, Branch<Answer>>;
  readonly leaves: Map<string, Leaf<Answer>>;
  any: Branch<Answer> | null;
}

const FIELD = /^\{(\w+)\}$/;

const newBranch = <Answer>(): Branch<Answer> => ({ named: new Map(), leaves: new Map(), any: null });

function branchFor<Answer>(from: Branch<Answer>, part: string): Branch<Answer> {
  if (FIELD.test(part)) {
    from.any ??= newBranch();
    return from.any;
  }
  const branch = from.named.get(part) ?? newBranch<Answer>();
  from.named.set(part, branch);
  return branch;
}

function add<Answer>(root: Branch<Answer>, { method, path, answer }: Endpoint<Answer>): void {
  const parts = path.split('/').slice(1);
  let branch = root;
  for (const part of parts) branch = branchFor(branch, part);
  branch.leaves.set(method, { answer, fields: parts.flatMap((part) => FIELD.exec(part)?.[1] ?? []) });
}

/** Decodes each part of a path once and on its own: an id with `%2F` in it stays one part. */
function partsOf(path: string): readonly string[] {
  const parts = path.split('/');
  parts.shift();
  if (parts.at(-1) === '') parts.pop();
  if (!path.includes('%')) return parts;
  try {
    return parts.map(decodeURIComponent);
  } catch {
    throw new ErrandError('validation_error', 'The address is not valid: it has a % that stands for no character.');
  }
}

function paramsOf({ fields }: Leaf<unknown>, values: readonly string[]): Params {
  const params: Record<string, string> = {};
  for (const [index, field] of fields.entries()) params[field] = values[index] ?? '';
  return params;
}

/** Finds the endpoints of a path; null when there are none. */
export function createRoutes<Answer>(endpoints: readonly Endpoint<Answer>[]): (path: string) => Found<Answer> | null {
  const root = newBranch<Answer>();
  for (const endpoint of endpoints) add(root, endpoint);

  return (path) => {
    const parts = partsOf(path);
    const values: string[] = [];

    /** A literal part wins over a field: `/tasks/next` is no task with the id next. */
    function walk(branch: Branch<Answer>, at: number): Branch<Answer> | null {
      const part = parts[at];
      if (part === undefined) return branch.leaves.size === 0 ? null : branch;
      const named = branch.named.get(part);
      const found = named === undefined ? null : walk(named, at + 1);
      if (found !== null || branch.any === null || part === '') return found;
      values.push(part);
      const below = walk(branch.any, at + 1);
      if (below === null) values.pop();
      return below;
    }

    const found = walk(root, 0);
    if (found === null) return null;
    return {
      methods: () => [...found.leaves.keys()],
      at: (method) => {
        const leaf = found.leaves.get(method);
        return leaf && { answer: leaf.answer, params: paramsOf(leaf, values) };
      },
    };
  };
}
