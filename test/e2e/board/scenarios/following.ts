import { expect } from 'vitest';
import { processesOf } from '../processes.ts';
import { isAsking, type Scenario, type Stage } from '../stage.ts';

/** Starts an agent that waits until it is released. */
async function held({ start, until }: Stage, ...then: readonly string[]) {
  const started = await start(['ask Go on?', ...then], { executor: 'asking' });
  const { approvals } = await until(started.attempt_id, isAsking);
  return { ...started, approval_id: approvals[0]?.approval_id };
}

const promptsIn = ({ queue }: { readonly queue?: unknown }): readonly string[] =>
  (queue as readonly { readonly prompt: string }[]).map(({ prompt }) => prompt);

export const FOLLOWING: readonly Scenario[] = [
  {
    cites: ['B-FOLLOW-S1', 'B-FOLLOW-S2', 'B-FOLLOW-S3', 'B-FOLLOW-1', 'B-FOLLOW-2', 'B-FOLLOW-3', 'B-ATTEMPT-S1'],
    title: 'a follow-up is sent by attempt_id, by workspace_id or by session_id, and the agent remembers',
    play: async (stage) => {
      const { call, start, rested, said } = stage;
      const { task_id, attempt_id: made, session_id } = await start(['remember colour=green']);
      await rested(made);
      const { attempts } = await call('list_task_attempts', { task_id });
      const [{ attempt_id } = { attempt_id: '' }] = attempts as readonly { readonly attempt_id: string }[];

      const answers = [];
      for (const named of [{ attempt_id }, { workspace_id: attempt_id }, { session_id }]) {
        const prompt = `recall colour\nsay by ${Object.keys(named).join()}`;
        const answer = await call('follow_up', { ...named, action: 'send', prompt });
        const { run } = await rested(attempt_id);
        expect(run).toMatchObject({ execution_id: answer.execution_id, session_id, status: 'completed' });
        answers.push(answer);
      }

      expect(answers).toEqual(
        answers.map(() => ({ attempt_id, session_id, execution_id: expect.any(String), queue: [] })),
      );
      expect(await said(attempt_id)).toEqual(
        ['attempt_id', 'workspace_id', 'session_id'].flatMap((name) => ['colour is green', `by ${name}`]),
      );
    },
  },
  {
    cites: ['B-FOLLOW-S4', 'B-FOLLOW-S5', 'B-FOLLOW-S6', 'B-FOLLOW-2', 'B-FOLLOW-3'],
    title: 'follow-ups wait in order behind a run, can be withdrawn, and run one after another',
    play: async (stage) => {
      const { call, refused, rested, said } = stage;
      const { attempt_id, session_id, approval_id } = await held(stage, 'say first');

      const early = await refused('follow_up', { attempt_id, action: 'send', prompt: 'say early' });
      const queue = (named: object, prompt: string) => call('follow_up', { ...named, action: 'queue', prompt });
      const one = await queue({ workspace_id: attempt_id }, 'say one');
      const two = await queue({ session_id }, 'say two');
      const three = await queue({ attempt_id }, 'say three');
      const without = await call('follow_up', { session_id, action: 'cancel', queued_id: three.queued_id });
      await call('respond_approval', { approval_id, decision: 'approve' });
      await rested(attempt_id);

      expect(early).toMatchObject({ code: 'run_in_progress', hint: expect.stringContaining('queue') });
      expect(promptsIn(one)).toEqual(['say one']);
      expect(promptsIn(two)).toEqual(['say one', 'say two']);
      expect(promptsIn(three)).toEqual(['say one', 'say two', 'say three']);
      expect(without).toMatchObject({ attempt_id, session_id, cancelled: 1 });
      expect(promptsIn(without)).toEqual(['say one', 'say two']);
      expect(await said(attempt_id)).toEqual(['Go on?: yes', 'first', 'one', 'two']);
    },
  },
  {
    cites: ['B-FOLLOW-1', 'B-FOLLOW-4', 'B-FOLLOW-5'],
    title: 'a follow-up needs one target and a prompt, and takes a variant that there is',
    play: async ({ call, refused, start, rested, site }) => {
      const { attempt_id, session_id } = await start(['say hello']);
      await rested(attempt_id);
      const wrong = [
        { action: 'send', prompt: 'Go on.' },
        { attempt_id, session_id, action: 'send', prompt: 'Go on.' },
        { attempt_id, workspace_id: attempt_id, action: 'send', prompt: 'Go on.' },
        { attempt_id, action: 'send' },
        { attempt_id, action: 'queue' },
        { attempt_id, action: 'shout', prompt: 'Go on.' },
        { attempt_id, action: 'send', prompt: 'Go on.', variant: 'quiet' },
      ];

      const refusals = [];
      for (const args of wrong) refusals.push(await refused('follow_up', args));
      const loud = await call('follow_up', { attempt_id, action: 'queue', prompt: 'say more', variant: 'loud' });
      await rested(attempt_id);

      const started = (await site.notes()).filter(({ event }) => event === 'start');
      expect(refusals.map(({ code }) => code)).toEqual(wrong.map(() => 'validation_error'));
      expect(started).toContainEqual(expect.objectContaining({ execution_id: loud.execution_id, args: ['--loud'] }));
    },
  },
  {
    cites: ['B-FOLLOW-S6', 'B-FOLLOW-2'],
    title: 'stopping an attempt ends all processes of its agent, and withdraws its follow-ups',
    play: async (stage) => {
      const { call, start, until, rested, said } = stage;
      const script = ['spawn-orphan orphan.txt', 'write a.txt Half', 'open-step Waits', 'sleep 600000'];
      const { attempt_id, execution_id } = await start(script);
      await until(attempt_id, ({ run }) => 'current_step' in run && run.current_step !== null);
      const never = { workspace_id: attempt_id, action: 'queue', prompt: 'say never' };
      await call('follow_up', never);
      const cancelled = await call('follow_up', { attempt_id, action: 'cancel' });
      await call('follow_up', never);
      const before = await processesOf(execution_id);

      const stopped = await call('stop_attempt', { attempt_id });
      const { run } = await rested(attempt_id);
      const again = await call('stop_attempt', { attempt_id });

      const { diff } = await call('get_attempt', { attempt_id, path: 'a.txt' });
      expect(cancelled).toMatchObject({ attempt_id, cancelled: 1, queue: [] });
      expect(stopped).toEqual({ attempt_id, stopping: true, cancelled: 1 });
      expect(again).toEqual({ attempt_id, stopping: false, cancelled: 0 });
      expect(run).toMatchObject({ status: 'killed', reason: 'stopped' });
      expect(before).toBeGreaterThanOrEqual(2);
      expect(await processesOf(execution_id)).toBe(0);
      expect(diff).toMatchObject({ text: expect.stringContaining('+Half') });
      expect(await said(attempt_id)).not.toContain('never');
    },
  },
  {
    cites: ['B-TOOLS-1'],
    title: 'what an agent asks is answered by decision, by option or in words, once',
    play: async (stage) => {
      const { call, refused, start, until, rested, said } = stage;
      const script = ['ask Delete it?', 'ask Push it?', 'question Which name?', 'say done'];
      const { attempt_id } = await start(script, { executor: 'asking' });
      const asked = async (question: string) => {
        const { approvals } = await until(attempt_id, (seen) =>
          seen.approvals.some((one) => one.question.includes(question)),
        );
        return { approval_id: approvals[0]?.approval_id };
      };

      const first = await asked('Delete it?');
      const denied = await call('respond_approval', { ...first, decision: 'deny' });
      const late = await refused('respond_approval', { ...first, decision: 'approve' });
      await call('respond_approval', { ...(await asked('Push it?')), option: 'always' });
      await call('respond_approval', { ...(await asked('Which name?')), answer: 'Ada' });
      await rested(attempt_id);

      expect(denied).toMatchObject({ ...first, attempt_id, status: 'denied' });
      expect(late).toMatchObject({ code: 'conflict' });
      expect(await said(attempt_id)).toEqual(['Delete it?: no', 'Push it?: always', 'Which name? accept: Ada', 'done']);
    },
  },
];
