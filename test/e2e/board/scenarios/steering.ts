import { expect } from 'vitest';
import { isDone, type Loop, REPOSITORY, type Seen } from './loop.ts';

const QUESTION = 'Which colour?';

const isAsking = ({ state }: Seen): boolean => state === 'needs_you';

/** A question of the agent's tool is answered while it waits, with a message of a person in the same result. */
export async function playSteering({ call, key, until, look }: Loop): Promise<void> {
  const [task, attempt_id] = [`${key}-1`, `${key}-1.1`];
  await call('create_task', { project_id: key, title: 'Paint it' });
  const prompt = `mcp ask_person ${JSON.stringify({ question: QUESTION, wait_ms: 30_000 })}\nwrite colour.txt painted`;
  await call('start_task_attempt', { task_id: task, executor: 'asking', prompt, repos: [{ repo_id: REPOSITORY }] });
  const { approvals } = (await until(attempt_id, isAsking)) as Seen & {
    readonly approvals: readonly { readonly approval_id: string; readonly question: string }[];
  };
  expect(approvals).toMatchObject([{ question: QUESTION }]);

  const told = await call('send_message', { attempt_id, text: 'Be quick.' });
  await call('respond_approval', { approval_id: attempt_id, answer: 'Green' });
  await until(attempt_id, isDone);

  const { entries } = await call('tail_attempt', { attempt_id, limit: 200 });
  const said = (entries as readonly { readonly kind: string; readonly text: string }[])
    .filter(({ kind }) => kind === 'message')
    .map(({ text }) => text)
    .join('\n');
  expect(told).toMatchObject({ status: 'queued' });
  expect(said).toContain('"status":"answered"');
  expect(said).toContain('Green');
  expect(said).toContain('Be quick.');
  expect(await look(attempt_id)).toMatchObject({ state: 'review', messages: [] });
}
