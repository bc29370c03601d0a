import { expect } from 'vitest';
import { plantAttempts } from '../planted.ts';
import { fieldsIn } from '../schema.ts';
import { isAsking, type Scenario, type Stage } from '../stage.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

const rowOf = async ({ call, project_id }: Stage, task_id: string): Promise<unknown> => {
  const { tasks } = await call('list_tasks', { project_id });
  return (tasks as readonly { readonly task_id: string }[]).find((task) => task.task_id === task_id);
};

const attemptsOf = async ({ call }: Stage, task_id: string) =>
  (await call('list_task_attempts', { task_id })) as {
    readonly attempts: readonly { readonly attempt_id: string }[];
  };

const NO_ATTEMPT = {
  latest_attempt_id: null,
  latest_workspace_branch: null,
  latest_session_id: null,
  latest_session_executor: null,
  has_in_progress_attempt: false,
  last_attempt_failed: false,
};

export const ATTEMPTS: readonly Scenario[] = [
  {
    cites: ['B-LIST-S1', 'B-LIST-3', 'B-LIST-2', 'B-ATTEMPTS-S1', 'B-ATTEMPTS-1', 'B-ATTEMPTS-2', 'B-ATTEMPTS-3'],
    title: 'lists tell of the attempts at a task, the one made last first, and of its session',
    play: async (stage) => {
      const { start, task, rested } = stage;
      const [task_id, untouched] = [await task('Greet'), await task('Wait')];
      const elder = await start(['say one'], { task_id });
      const latest = await start(['say two'], { task_id, executor: 'asking' });
      const branches = [await rested(latest.attempt_id), await rested(elder.attempt_id)].map(
        ({ workspace_branch }) => workspace_branch,
      );

      const list = await attemptsOf(stage, task_id);

      const attempt = (at: number, { attempt_id, session_id }: typeof elder, executor: string) => ({
        attempt_id,
        key: expect.stringMatching(new RegExp(`^[A-Z0-9]+-\\d+\\.${2 - at}$`)),
        state: 'review',
        verdict: null,
        reason: null,
        workspace_branch: branches[at],
        status: 'completed',
        created_at: expect.stringMatching(RFC_3339),
        updated_at: expect.stringMatching(RFC_3339),
        latest_session_id: session_id,
        latest_session_executor: executor,
      });
      expect(list).toEqual({
        attempts: [attempt(0, latest, 'asking'), attempt(1, elder, 'scripted')],
        latest_attempt_id: latest.attempt_id,
        latest_session_id: latest.session_id,
      });
      expect(await rowOf(stage, task_id)).toMatchObject({
        latest_attempt_id: latest.attempt_id,
        latest_workspace_branch: branches[0],
        latest_session_id: latest.session_id,
        latest_session_executor: 'asking',
        has_in_progress_attempt: false,
        last_attempt_failed: false,
      });
      expect(await rowOf(stage, untouched)).toMatchObject(NO_ATTEMPT);
    },
  },
  {
    cites: ['B-LIST-2', 'B-ATTEMPTS-1', 'B-ATTEMPTS-3'],
    title: 'of attempts made at one time the one with the smallest id comes first',
    play: async (stage) => {
      const task_id = await stage.task();
      const [early = '', ...twins] = await plantAttempts(stage.site, task_id, [1_000, 2_000, 2_000, 2_000]);

      const { attempts, ...latest } = await attemptsOf(stage, task_id);

      expect(attempts.map(({ attempt_id }) => attempt_id)).toEqual([...twins.toSorted(), early]);
      expect(latest).toMatchObject({ latest_attempt_id: twins.toSorted()[0] });
      expect(await rowOf(stage, task_id)).toMatchObject({ latest_attempt_id: twins.toSorted()[0] });
    },
  },
  {
    cites: ['B-ATTEMPTS-S2', 'B-ATTEMPTS-3', 'B-LIST-3', 'B-FOLLOW-S7'],
    title: 'an attempt without a session is shown without one, and accepts no follow-up',
    play: async (stage) => {
      const { call, refused, task } = stage;
      const task_id = await task();
      const [attempt_id] = await plantAttempts(stage.site, task_id, [1_000]);

      const list = await call('list_task_attempts', { task_id });

      expect(list).toMatchObject({
        attempts: [{ attempt_id, latest_session_id: null, latest_session_executor: null }],
        latest_attempt_id: attempt_id,
        latest_session_id: null,
      });
      expect(await rowOf(stage, task_id)).toMatchObject({ latest_attempt_id: attempt_id, latest_session_id: null });
      for (const named of [{ attempt_id }, { workspace_id: attempt_id }]) {
        expect(await refused('follow_up', { ...named, action: 'send', prompt: 'Go on.' })).toMatchObject({
          code: 'no_session',
          message: expect.stringContaining('has no session'),
        });
      }
    },
  },
  {
    cites: ['B-ATTEMPT-2', 'B-ATTEMPT-3', 'B-ATTEMPT-4', 'B-ATTEMPT-S2', 'B-LIST-3'],
    title: 'a task is in progress while its agent runs and in review after it, in answers of UUIDs and RFC 3339',
    play: async (stage) => {
      const { call, refused, start, until, rested } = stage;
      const { task_id, attempt_id } = await start(['ask Go on?', 'write a.txt Hello', 'say done'], {
        executor: 'asking',
      });
      const asking = await until(attempt_id, isAsking);

      const meanwhile = await rowOf(stage, task_id);
      const busy = await refused('delete_task', { task_id });
      const [{ approval_id } = expect.unreachable()] = asking.approvals;
      await call('respond_approval', { approval_id, decision: 'approve' });
      const done = await rested(attempt_id);

      const answers = [
        done,
        await call('get_task', { task_id }),
        await call('list_task_attempts', { task_id }),
        await call('tail_attempt', { attempt_id }),
        await call('get_attempt', { attempt_id, include: ['files', 'diff', 'prompt'] }),
      ];
      const fields = answers.flatMap(fieldsIn).filter(({ value }) => value !== null);
      const wrong = fields.filter(
        ({ name, value }) =>
          (name.endsWith('_id') && !UUID.test(String(value))) ||
          (name.endsWith('_at') && !RFC_3339.test(String(value))),
      );
      expect(busy).toMatchObject({ code: 'run_in_progress', message: expect.stringContaining('run') });
      expect(meanwhile).toMatchObject({ status: 'inprogress', has_in_progress_attempt: true });
      expect(await rowOf(stage, task_id)).toMatchObject({ status: 'inreview', has_in_progress_attempt: false });
      expect(answers.at(-1)).toMatchObject({
        changes: { files: 1, insertions: 1 },
        files: [{ path: 'a.txt', change: 'added' }],
        diff: { text: expect.stringContaining('+Hello') },
        run: { prompt: expect.stringContaining('ask Go on?') },
      });
      const names = new Set(fields.map(({ name }) => name));
      expect([names.has('attempt_id'), names.has('workspace_id')]).toEqual([true, false]);
      expect(wrong).toEqual([]);
    },
  },
  {
    cites: ['B-LIST-3', 'L-FAILED'],
    title: 'a run that failed is seen on its task, with the reason',
    play: async (stage) => {
      const { call, start, rested } = stage;
      const { task_id, attempt_id, execution_id } = await start(['exit 3']);

      const { run } = await rested(attempt_id);

      expect(run).toMatchObject({ status: 'failed', reason: 'exit code 3' });
      expect(await rowOf(stage, task_id)).toMatchObject({ status: 'inprogress', last_attempt_failed: true });
      expect(await call('get_task', { task_id })).toMatchObject({
        last_failure: { attempt_id, execution_id, reason: 'exit code 3' },
      });
    },
  },
  {
    cites: ['B-TOOLS-1'],
    title: 'an attempt is refused with an executor that is unknown or cannot run, and with a strange repository',
    play: async ({ call, refused, task, project_id, repo_id, site }) => {
      const task_id = await task();
      const elsewhere = await site.project();
      const start = (change: object) =>
        refused('start_task_attempt', { task_id, executor: 'scripted', repos: [{ repo_id }], ...change });

      const { executors } = await call('list_executors', {});

      expect(executors).toContainEqual(expect.objectContaining({ executor: 'scripted', is_ready: true }));
      expect(executors).toContainEqual(expect.objectContaining({ executor: 'absent', is_ready: false }));
      expect(await start({ executor: 'nobody' })).toMatchObject({
        code: 'validation_error',
        hint: expect.stringContaining('scripted'),
      });
      expect(await start({ executor: 'absent' })).toMatchObject({
        code: 'executor_unavailable',
        message: expect.stringContaining('/nowhere/agent'),
      });
      expect(await start({ variant: 'quiet' })).toMatchObject({ code: 'validation_error' });
      expect(await start({ repos: [{ repo_id: elsewhere.repo_id }] })).toMatchObject({ code: 'validation_error' });
      expect(await call('list_tasks', { project_id })).toMatchObject({ tasks: [{ task_id, ...NO_ATTEMPT }] });
    },
  },
  {
    cites: ['B-TOOLS-1'],
    title: 'an attempt that is requested again with the same key is started once',
    play: async ({ call, task, repo_id, rested, site }) => {
      const task_id = await task();
      const input = { task_id, executor: 'scripted', repos: [{ repo_id }], idempotency_key: task_id };

      const answers = await Promise.all([1, 2, 3].map(() => call('start_task_attempt', input)));
      await rested(String(answers[0]?.attempt_id));

      const { attempts } = await call('list_task_attempts', { task_id });
      const started = (await site.notes()).filter(
        ({ event, execution_id }) => event === 'start' && execution_id === answers[0]?.execution_id,
      );
      expect(answers).toEqual(answers.map(() => answers[0]));
      expect(attempts).toHaveLength(1);
      expect(started).toHaveLength(1);
    },
  },
];
