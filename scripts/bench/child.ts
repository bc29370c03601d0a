import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Child<Message> extends AsyncDisposable {
  /** What the process said first. */
  readonly message: Message;
  /** Sends it something and waits for what it says to that. */
  readonly ask: (question: object) => Promise<unknown>;
}

/** A script of `targets/` in a process of its own, and the first message that it sends. */
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
