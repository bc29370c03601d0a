import { ErrandError } from '#errors';
import type { Tool } from '#tools/catalog';

/** What there is at an address: the tools by their method, and what the address says for them. */
export interface Place {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly params: Readonly<Record<string, string>>;
}

interface Branch {
  readonly named: Map<string, Branch>;
  readonly tools: Map<string, Tool>;
  any: { readonly field: string; readonly branch: Branch } | null;
}

const newBranch = (): Branch => ({ named: new Map(), tools: new Map(), any: null });

function branchFor(from: Branch, part: string): Branch {
  const [, field] = /^\{(\w+)\}$/.exec(part) ?? [];
  if (field !== undefined) {
    from.any ??= { field, branch: newBranch() };
    return from.any.branch;
  }
  const branch = from.named.get(part) ?? newBranch();
  from.named.set(part, branch);
  return branch;
}

function add(root: Branch, tool: Tool): void {
  const [method = 'GET', path = '/'] = tool.route.split(' ');
  let branch = root;
  for (const part of path.split('/').slice(1)) branch = branchFor(branch, part);
  branch.tools.set(method, tool);
}

/** Once, and each part for itself: an id with `%2F` in it stays one part. */
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

/** Finds what is at a path; null when there is nothing. */
export function createRoutes(tools: readonly Tool[]): (path: string) => Place | null {
  const root = newBranch();
  for (const tool of tools) add(root, tool);

  return (path) => {
    const params: Record<string, string> = {};
    let branch = root;
    for (const part of partsOf(path)) {
      const named = branch.named.get(part);
      if (named !== undefined) {
        branch = named;
      } else if (branch.any !== null && part !== '') {
        params[branch.any.field] = part;
        branch = branch.any.branch;
      } else {
        return null;
      }
    }
    return branch.tools.size === 0 ? null : { tools: branch.tools, params };
  };
}
