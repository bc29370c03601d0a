import type { McpHost } from '#host';
import { isObject, type JsonObject } from '#json';
import { INVALID_PARAMS, RpcError } from '#json-rpc';

/** Suggests values that begin with the typed text, best first; `others` are the arguments that have a value. */
export type Completer = (
  typed: string,
  others: Readonly<Record<string, string>>,
) => readonly string[] | Promise<readonly string[]>;

interface Completed {
  readonly complete: Readonly<Record<string, Completer>>;
}

interface Params {
  readonly ref?: unknown;
  readonly argument?: unknown;
  readonly context?: unknown;
}

interface Reference {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly uri?: unknown;
}

const invalid = (message: string): RpcError => new RpcError(INVALID_PARAMS, message);

/** Creates completion for arguments of prompts and variables of templates; undefined when none has a completer. */
export function createComplete(
  prompts: ReadonlyMap<string, Completed>,
  templates: ReadonlyMap<string, Completed>,
): McpHost<unknown>['complete'] | undefined {
  const all = [...prompts.values(), ...templates.values()];
  if (all.every(({ complete }) => Object.keys(complete).length === 0)) return undefined;

  function referred(ref: unknown): Completed {
    const { type, name, uri }: Reference = isObject(ref) ? ref : {};
    const found = type === 'ref/prompt' ? prompts.get(String(name)) : templates.get(String(uri));
    if (found === undefined) throw invalid('ref names no prompt and no resource template.');
    return found;
  }

  return async (params) => {
    const { ref, argument, context }: Params = params;
    const { name, value }: { readonly name?: unknown; readonly value?: unknown } = isObject(argument) ? argument : {};
    if (typeof name !== 'string' || typeof value !== 'string') throw invalid('argument needs a name and a value.');
    const { complete } = referred(ref);
    return Object.hasOwn(complete, name) ? ((await complete[name]?.(value, othersIn(context))) ?? []) : [];
  };
}

function othersIn(context: unknown): Readonly<Record<string, string>> {
  const { arguments: given }: { readonly arguments?: unknown } = isObject(context) ? context : {};
  const texts = Object.entries<unknown>(isObject(given) ? given : ({} satisfies JsonObject));
  return Object.fromEntries(texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
