import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Child<Message> extends AsyncDisposable {
  /** The first message of the process. */
  readonly message: Message;
  /** Sends a message and waits for the answer. */
  readonly ask: (question: object) => Promise<unknown>;
}

/** Starts a script of `targets/` in its own process, and waits for its first message. */
export async function startChild<Message>(script: string, ...args: readonly string[]): Promise<Child<Message>> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'targets', script), [...args], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const failed = ended.then(([code]) => Promise.reject(new Error(`${script} ended with ${code}.`)));
  failed.catch(() => {});
  const next = async (): Promise<unknown> => {
    const [message] = (await Promise.race([once(child, 'message'), failed])) as [unknown];
    return message;
  };
  const ask = (question: object): Promise<unknown> => {
    const answer = next();
    child.send(question);
    return answer;
  };
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  return { message: (await next()) as Message, ask, [Symbol.asyncDispose]: stop };
}
