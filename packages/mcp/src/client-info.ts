import { isObject } from './json.ts';

/** The name and version that a client gives itself. */
export interface ClientInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

interface Given {
  readonly name?: unknown;
  readonly title?: unknown;
  readonly version?: unknown;
}

/** Reads `clientInfo`; null when it has no name. */
export function clientInfoOf(value: unknown): ClientInfo | null {
  if (!isObject(value)) return null;
  const { name, title, version }: Given = value;
  if (typeof name !== 'string') return null;
  return {
    name,
    title: typeof title === 'string' ? title : name,
    version: typeof version === 'string' ? version : '',
  };
}
