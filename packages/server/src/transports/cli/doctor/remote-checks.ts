import { ErrandError } from '#errors';
import { type Calls, Refused } from '#transports/cli/calls';
import { type Finding, failed, fine } from './finding.ts';

const PATIENCE_MS = 5_000;
const FORBIDDEN = 403;
/** Tokens and claims end by the server's clock: with a larger difference their times mislead. */
const MAX_AHEAD_MS = 60_000;

/** The time that the server's answer carries; null when none answers. */
const timeAt = (url: string): Promise<number | null> =>
  new Promise((resolve) => {
    // `import` would also load Node's WebSocket.
    const { get } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
    const request = get(`${url}/healthz`, { timeout: PATIENCE_MS, agent: false }, (response) => {
      response.resume();
      const time = Date.parse(response.headers.date ?? '');
      resolve(Number.isNaN(time) ? null : time);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(null));
  });

/** Compares two clocks. Whole seconds: the header of an answer has no others. */
export function clockFinding(now: number, other: number, whose: string): Finding {
  const seconds = Math.round((now - other) / 1_000);
  if (Math.abs(now - other) <= MAX_AHEAD_MS) return fine('clock', `as that of ${whose}`);
  const words = `This machine is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} ${whose}.`;
  return failed('clock', words, 'Set the clock of the machine that is wrong.');
}

/** One call, to see whether the server answers and the token works. A token that may not read the board works too. */
async function checkToken(calls: Calls, url: string): Promise<Finding> {
  try {
    await calls.ask('board', 'list_projects', { limit: 1 });
    return fine('server', `${url} answers, and the token works`);
  } catch (error) {
    if (error instanceof Refused && error.status === FORBIDDEN) {
      return fine('server', `${url} answers, and the token works, but not for the board`);
    }
    if (error instanceof Refused) return failed('server', error.error.message, error.error.hint ?? null);
    if (error instanceof ErrandError) return failed('server', error.message, error.hint ?? null);
    throw error;
  }
}

/** What can be said of a server elsewhere. */
export async function checkRemote(calls: Calls, url: string, clock: () => number): Promise<readonly Finding[]> {
  const server = await checkToken(calls, url);
  const theirs = await timeAt(url);
  return [server, ...(theirs === null ? [] : [clockFinding(clock(), theirs, 'the server')])];
}
