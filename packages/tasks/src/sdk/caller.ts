import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Requestor } from '#owner';
import { readSession } from './session.ts';

/** Who sends a request, as the SDK knows it. */
export interface Caller {
  readonly authInfo?: AuthInfo | undefined;
  readonly sessionId?: string | undefined;
}

export type RequestorOf = (caller: Caller) => Requestor;

/** The subject, if the verifier of tokens left it in `authInfo.extra.sub`, then the client, then the session. */
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

/** The id of a session that `withTaskStreams` made. */
export function sessionOf(request: Request | undefined): string | undefined {
  const id = request?.headers.get('mcp-session-id');
  return readSession(id) === undefined ? undefined : (id ?? undefined);
}
