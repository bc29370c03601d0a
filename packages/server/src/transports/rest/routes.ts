import { ErrandError } from '#errors';

/** One method of one address. */
export interface Endpoint<Answer> {
  readonly method: string;
  /** With its fields in braces: `/api/executions/{execution_id}`. */
  readonly path: string;
  readonly answer: Answer;
}

export type Params = Readonly<Record<string, string>>;

/** The endpoints of one address, by method, and the values that the address holds in place of their fields. */
export interface Found<Answer> {
  readonly endpoints: ReadonlyMap<string, Endpoint<Answer>>;
  readonly values: readonly string[];
}

interface Branch<Answer> {
  readonly named: Map<string, Branch<Answer>>;
  readonly endpoints: Map<string, Endpoint<Answer>>;
  any: Branch<Answer> | null;
}

const FIELD = /^\{(\w+)\}$/;

const newBranch = <Answer>(): Branch<Answer> => ({ named: new Map(), endpoints: new Map(), any: null });

function branchFor<Answer>(from: Branch<Answer>, part: string): Branch<Answer> {
  if (FIELD.test(part)) {
    from.any ??= newBranch();
    return from.any;
  }
  const branch = from.named.get(part) ?? newBranch<Answer>();
  from.named.set(part, branch);
  return branch;
}

/** Decodes each part of a path once and by itself: an id with `%2F` in it stays one part. */
function partsOf(path: string): readonly string[] {
  const parts = path.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  if (!path.includes('%')) return parts;
  try {
    return parts.map(decodeURIComponent);
  } catch {
    throw new ErrandError('validation_error', 'The address is not valid: it has a % that stands for no character.');
  }
}

interface Walk {
  readonly parts: readonly string[];
  readonly at: number;
  readonly values: readonly string[];
}

/** A part that is written in a route counts more than a field: `/tasks/next` is no task called next. */
function walk<Answer>(branch: Branch<Answer>, { parts, at, values }: Walk): Found<Answer> | null {
  const part = parts[at];
  if (part === undefined) return branch.endpoints.size === 0 ? null : { endpoints: branch.endpoints, values };
  const named = branch.named.get(part);
  const found = named === undefined ? null : walk(named, { parts, at: at + 1, values });
  if (found !== null || branch.any === null || part === '') return found;
  return walk(branch.any, { parts, at: at + 1, values: [...values, part] });
}

/** The values of a path by the names that an endpoint has for them. */
export function paramsOf({ path }: Pick<Endpoint<unknown>, 'path'>, values: readonly string[]): Params {
  const fields = path.split('/').flatMap((part) => FIELD.exec(part)?.[1] ?? []);
  return Object.fromEntries(fields.map((field, index) => [field, values[index] ?? '']));
}

/** Finds the endpoints at a path; null when there is none. */
export function createRoutes<Answer>(endpoints: readonly Endpoint<Answer>[]): (path: string) => Found<Answer> | null {
  const root = newBranch<Answer>();
  for (const endpoint of endpoints) {
    let branch = root;
    for (const part of partsOf(endpoint.path)) branch = branchFor(branch, part);
    branch.endpoints.set(endpoint.method, endpoint);
  }
  return (path) => walk(root, { parts: partsOf(path), at: 0, values: [] });
}
