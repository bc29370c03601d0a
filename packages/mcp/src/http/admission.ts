import type { ServerResponse } from 'node:http';

/** What one request may take of the process. A listener that shares its process among callers gives one with each request. */
export interface Admission {
  /** Resolves when the request may be worked on. */
  readonly turn: () => Promise<void>;
  /** Resolves when so many bytes of a body may be kept until the request is over. */
  readonly keepBody: (bytes: number) => Promise<void>;
  /** Counts what the client has not read yet, until the returned function is called. */
  readonly holdUnread: (res: ServerResponse) => () => void;
}
