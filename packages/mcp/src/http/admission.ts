import type { ServerResponse } from 'node:http';

/** What one request may take of the process. A listener that shares its process among callers gives one with each request. */
export interface Admission {
  /** Resolves when the request may start. */
  readonly turn: () => Promise<void>;
  /** Resolves when this many bytes of a body may be held until the request ends. */
  readonly keepBody: (bytes: number) => Promise<void>;
  /** Counts the bytes that the client has not read yet, until the returned function is called. */
  readonly holdUnread: (res: ServerResponse) => () => void;
}
