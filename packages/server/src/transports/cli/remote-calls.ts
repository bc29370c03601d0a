import { say } from '#advice';
import { ErrandError } from '#errors';
import type { WireError } from '#gateway/gateway';
import { wireError } from '#gateway/outcome';
import { catalog } from '#tools/catalog';
import { isObject } from '#transports/json';
import { type Answered, askingBy, type Calls } from './calls.ts';
import { VERSION_HEADER, WORDING_HEADER } from './wording.ts';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Sends calls to a server. Rejects with `not_reachable` when none answers. */
export interface RemoteTools {
  readonly url: string;
  readonly has_token: boolean;
  readonly post: (
    full_name: string,
    input: object,
    options: {
      readonly headers: Readonly<Record<string, string>>;
      readonly timeout_ms: number;
      readonly signal?: AbortSignal;
    },
  ) => Promise<{ readonly status: number; readonly body: unknown; readonly headers: Headers }>;
}

const TIMEOUT_MS = 35_000;
/** For calls that wait for a worker: a merge, a pull request. */
const LONG_TIMEOUT_MS = 130_000;
/** The code of a failure that is not the server's own. */
const NO_NUMBER = '';

const isError = (value: unknown): value is WireError =>
  isObject(value) && typeof value.code === 'string' && typeof value.message === 'string';

const inWords = (error: ErrandError): Answered => ({ ok: false, ...wireError(error, NO_NUMBER) });

function tokenFault({ url, has_token }: RemoteTools): ErrandError {
  const login = say`Log in: ${{ command: `login ${url}` }}. Or set ${{ setting: 'ERRAND_TOKEN' }}.`;
  return has_token
    ? new ErrandError('unauthenticated', `The token does not work at ${url}: it is unknown, expired or revoked.`, {
        hint: login,
      })
    : new ErrandError('unauthenticated', `Errand at ${url} wants a token.`, { hint: login });
}

/** Calls the tools of a server elsewhere. Only names and JSON cross the wire, so its version may differ. */
export function remoteCalls(tools: RemoteTools, version: string): Calls {
  /** Says that the versions differ, where that may be the reason of a refusal. */
  function withVersions(error: WireError, theirs: Headers[string]): WireError {
    if (typeof theirs !== 'string' || theirs === version) return error;
    const words = `This command line is version ${version}, the server at ${tools.url} is version ${theirs}.`;
    return { ...error, hint: error.hint === undefined ? words : `${error.hint} ${words}` };
  }

  function refusal(status: number, body: unknown, headers: Headers): Answered {
    if (status === 401) return inWords(tokenFault(tools));
    const error = isObject(body) ? body.error : undefined;
    if (!isError(error)) {
      return inWords(
        new ErrandError('not_reachable', `${tools.url} does not answer as Errand does: it says ${status}.`, {
          hint: say`Is the address right? ${{ setting: 'ERRAND_URL' }} or ${{ command: 'login' }} sets it.`,
        }),
      );
    }
    const mayDiffer = error.code === 'unknown_tool' || /^validation_error$/i.test(error.code);
    return { ok: false, status, error: mayDiffer ? withVersions(error, headers[VERSION_HEADER]) : error };
  }

  const call: Calls['call'] = async (tool, input, wording, signal) => {
    const { status, body, headers } = await tools.post(tool.full_name, input, {
      headers: { [WORDING_HEADER]: wording },
      timeout_ms: tool.outside ? LONG_TIMEOUT_MS : TIMEOUT_MS,
      ...(signal && { signal }),
    });
    return status >= 200 && status < 300 && isObject(body)
      ? { ok: true, json: JSON.stringify(body) }
      : refusal(status, body, headers);
  };

  return {
    address: tools.url,
    call,
    ask: askingBy((profile, name) => catalog.find((tool) => tool.profile === profile && tool.name === name), call),
  };
}
