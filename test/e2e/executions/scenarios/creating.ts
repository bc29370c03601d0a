import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { refused, type Scenario, taken } from '../scenario.ts';
import { EMOJI, HOSTILE, ID, STATUSES, TIME, WORLD, WRONG_STATUSES, wrongStatus } from './words.ts';

/** Creating steps. */
export const CREATING: readonly Scenario[] = [
  {
    cites: ['R2.1', 'R2.2', 'R2.5'],
    title: 'creates a step that is running, and answers its step_id',
    play: async ({ call, execution_id, stepsAre }) => {
      const data = await taken(call('create_step', { execution_id, step_name: 'Look around' }));

      expect(data).toMatchObject({ step_id: ID, execution_id, seq: 1, status: 'running', ended_at: null });
      await stepsAre([{ step_name: 'Look around', status: 'running', message: null }]);
    },
  },
  {
    cites: ['R2.3'],
    title: 'keeps the message of a new step as it is',
    play: async ({ call, execution_id, stepsAre }) => {
      const message = `${WORLD}\n${HOSTILE}`;

      const data = await taken(call('create_step', { execution_id, step_name: HOSTILE, message }));

      expect(data).toMatchObject({ step_name: HOSTILE, message });
      await stepsAre([{ step_name: HOSTILE, status: 'running', message }]);
    },
  },
  {
    cites: ['R2.4', 'R2.6'],
    title: 'creates steps in each of the four statuses',
    play: async ({ call, execution_id, stepsAre }) => {
      for (const status of STATUSES) {
        const data = await taken(call('create_step', { execution_id, step_name: status, status }));

        expect(data).toMatchObject({ status, ended_at: status === 'running' ? null : TIME });
      }
      await stepsAre(STATUSES.map((status) => ({ step_name: status, status, message: null })));
    },
  },
  {
    cites: ['R2.6', 'R2.7'],
    title: 'refuses a new step in another status, and lists the four',
    play: async ({ call, execution_id, stepsAre }) => {
      for (const status of WRONG_STATUSES) {
        const answer = await refused(call('create_step', { execution_id, step_name: 'x', status }));

        expect(answer).toEqual(wrongStatus(status));
      }
      await stepsAre([]);
    },
  },
  {
    cites: ['R2.8'],
    title: 'refuses a step without a name',
    play: async ({ call, execution_id, stepsAre }) => {
      for (const step_name of [undefined, '', '  ', 5]) {
        const answer = await refused(call('create_step', { execution_id, step_name }));

        expect(answer).toMatchObject({
          error: expect.stringContaining('step_name'),
          error_code: 'validation_error',
          status_code: 400,
        });
      }
      await stepsAre([]);
    },
  },
  {
    cites: ['R2.1', 'R2.3', 'R2.8'],
    title: 'takes a name of 200 and a message of 2,000 characters, and none more',
    play: async ({ call, execution_id, stepsAre }) => {
      const [step_name, message] = [EMOJI.repeat(200), EMOJI.repeat(2_000)];
      await taken(call('create_step', { execution_id, step_name, message }));

      const name = await refused(call('create_step', { execution_id, step_name: EMOJI.repeat(201) }));
      const words = await refused(call('create_step', { execution_id, step_name: 'x', message: EMOJI.repeat(2_001) }));

      expect(name.error).toMatch(/step_name.*200.*201/);
      expect(words.error).toMatch(/message.*2000.*2001/);
      await stepsAre([{ step_name, status: 'running', message }]);
    },
  },
  {
    cites: ['R2.1'],
    title: 'numbers steps that are created at once without a gap',
    play: async ({ call, execution_id }) => {
      const names = Array.from({ length: 20 }, (_, at) => `step ${at}`);

      const made = await Promise.all(names.map((step_name) => taken(call('create_step', { execution_id, step_name }))));

      expect(new Set(made.map(({ step_id }) => step_id)).size).toBe(names.length);
      expect(made.map(({ seq }) => Number(seq)).sort((a, b) => a - b)).toEqual(names.map((_, at) => at + 1));
    },
  },
  {
    cites: ['R2.1', 'R2.2'],
    title: 'creates one step for a call that is repeated with its idempotency_key',
    not_over: { 'mock client': 'it remembers no keys' },
    play: async ({ call, execution_id, stepsAre }) => {
      const args = { execution_id, step_name: 'Only once', idempotency_key: `鍵 ${randomUUID()}` };

      const [first, again] = [await taken(call('create_step', args)), await taken(call('create_step', args))];

      expect(again).toEqual(first);
      await stepsAre([{ step_name: 'Only once', status: 'running', message: null }]);
    },
  },
  {
    cites: ['R2.8'],
    title: 'takes no step once the run has ended',
    not_over: { 'mock client': 'nothing ends a run there' },
    play: async ({ call, execution_id, patchRun, stepsAre }) => {
      const { step_id } = await taken(call('create_step', { execution_id, step_name: 'Left open' }));
      await patchRun({ status: 'failed', reason: 'Out of disk' });

      const created = await refused(call('create_step', { execution_id, step_name: 'Too late' }));
      const updated = await refused(call('update_step', { execution_id, step_id, status: 'running' }));

      for (const answer of [created, updated]) {
        expect(answer).toMatchObject({ error_code: 'conflict', status_code: 409 });
        expect(answer.error).toMatch(/has ended \(failed\)/);
      }
      await stepsAre([{ step_name: 'Left open', status: 'failed', message: null }]);
    },
  },
];
