import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Refusal } from './refusal-log.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

function statusOf(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

/** Answers bytes that are no valid or no complete request, and closes the connection. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  tell: (refusal: Refusal) => void,
): void {
  // A client that is gone needs no answer, and a connection in the middle of an answer cannot take another one.
  // Node keeps the answer of a socket in a private field: the types do not know it.
  const isAnswering = (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true;
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy(error);
  const status = statusOf(error.code);
  const correlation_id = randomUUID();
  const address = 'remoteAddress' in socket && typeof socket.remoteAddress === 'string' ? socket.remoteAddress : '';
  tell({ correlation_id, status, address });
  const head = `HTTP/1.1 ${status} ${REASONS[status]}\r\nConnection: close\r\nX-Request-Id: ${correlation_id}\r\n\r\n`;
  socket.end(head, () => socket.destroy());
}
