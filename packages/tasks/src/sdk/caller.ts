import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Requestor } from '#owner';
import { readSession } from './session.ts';

/** The sender of a request, as the SDK knows it. */
export interface Caller {
  readonly authInfo?: AuthInfo | undefined;
  readonly sessionId?: string | undefined;
}

export type RequestorOf = (caller: Caller) => Requestor;

/** Returns the subject, if the token verifier put it into `authInfo.extra.sub`, the client and the session. */
export const requestorOfCaller: RequestorOf = ({ authInfo, sessionId }) => {
  const subject = authInfo?.extra?.sub;
  return {
    subject: typeof subject === 'string' ? subject : undefined,
    client_id: authInfo?.clientId,
    session_id: sessionId,
  };
};

export const callerOf = ({ http, sessionId }: ServerContext): Caller => ({
  authInfo: http?.authInfo,
  sessionId: sessionId ?? sessionOf(http?.req),
});

/** Returns the id of a session that `withTaskStreams` made. */
export function sessionOf(request: Request | undefined): string | undefined {
  const id = request?.headers.get('mcp-session-id');
  return readSession(id) === undefined ? undefined : (id ?? undefined);
}
