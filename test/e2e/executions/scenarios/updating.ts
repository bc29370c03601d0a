import { expect } from 'vitest';
import type { Arguments } from '../../client.ts';
import { refused, type Scenario, type Stage, taken } from '../scenario.ts';
import {
  EMOJI,
  HOSTILE,
  MAKES_RUNS,
  NO_SUCH,
  noRun,
  STATUSES,
  TIME,
  WORLD,
  WRONG_STATUSES,
  wrongStatus,
} from './words.ts';

/** Makes a running step, and calls that update it. */
async function begun({ call, execution_id }: Stage) {
  const made = await taken(call('create_step', { execution_id, step_name: 'Build', message: 'Begun' }));
  const update = (args: Arguments) => call('update_step', { execution_id, step_id: made.step_id, ...args });
  return { made, update };
}

/** Updating steps. */
export const UPDATING: readonly Scenario[] = [
  {
    cites: ['R3.1', 'R3.6'],
    title: 'changes the status of a step and leaves its message as it is',
    play: async (stage) => {
      const { made, update } = await begun(stage);

      const data = await taken(update({ status: 'completed' }));

      expect(data).toMatchObject({
        step_id: made.step_id,
        seq: 1,
        status: 'completed',
        message: 'Begun',
        ended_at: TIME,
      });
      await stage.stepsAre([{ step_name: 'Build', status: 'completed', message: 'Begun' }]);
    },
  },
  {
    cites: ['R3.5', 'R3.6'],
    title: 'changes the message of a step and leaves its status as it is',
    play: async (stage) => {
      const { update } = await begun(stage);
      await taken(update({ status: 'failed' }));

      const data = await taken(update({ message: `${WORLD} ${HOSTILE}` }));

      expect(data).toMatchObject({ status: 'failed', message: `${WORLD} ${HOSTILE}`, started_at: TIME });
      await stage.stepsAre([{ step_name: 'Build', status: 'failed', message: `${WORLD} ${HOSTILE}` }]);
    },
  },
  {
    cites: ['R3.1', 'R3.5', 'R3.6'],
    title: 'changes both at once',
    play: async (stage) => {
      const { made, update } = await begun(stage);

      const data = await taken(update({ status: 'skipped', message: 'Nothing to build' }));

      expect(data).toMatchObject({ step_id: made.step_id, status: 'skipped', message: 'Nothing to build' });
      await stage.stepsAre([{ step_name: 'Build', status: 'skipped', message: 'Nothing to build' }]);
    },
  },
  {
    cites: ['R3.1', 'R3.2'],
    title: 'takes each of the four statuses, also from one that had ended',
    play: async (stage) => {
      const { update } = await begun(stage);

      for (const status of [...STATUSES, 'running']) {
        const data = await taken(update({ status }));

        expect(data).toMatchObject({ status, ended_at: status === 'running' ? null : TIME });
      }
      await stage.stepsAre([{ step_name: 'Build', status: 'running', message: 'Begun' }]);
    },
  },
  {
    cites: ['R3.2', 'R3.3'],
    title: 'refuses another status, and lists the four',
    play: async (stage) => {
      const { update } = await begun(stage);

      for (const status of WRONG_STATUSES) {
        expect(await refused(update({ status, message: 'x' }))).toEqual(wrongStatus(status));
      }

      await stage.stepsAre([{ step_name: 'Build', status: 'running', message: 'Begun' }]);
    },
  },
  {
    cites: ['R3.4'],
    title: 'says that a status or a message is needed',
    play: async (stage) => {
      const { update } = await begun(stage);

      for (const nothing of [{}, { status: null, message: null }]) {
        expect(await refused(update(nothing))).toEqual({
          success: false,
          error: 'Provide at least status or message to update',
          error_code: 'validation_error',
          status_code: 400,
        });
      }
    },
  },
  {
    cites: ['R3.5'],
    title: 'takes the message away when it is given an empty one',
    play: async (stage) => {
      const { update } = await begun(stage);

      await taken(update({ message: '' }));

      await stage.stepsAre([{ step_name: 'Build', status: 'running', message: null }]);
    },
  },
  {
    cites: ['R3.5'],
    title: 'takes a message of 2,000 characters and none longer',
    play: async (stage) => {
      const { update } = await begun(stage);
      await taken(update({ message: EMOJI.repeat(2_000) }));

      const answer = await refused(update({ message: EMOJI.repeat(2_001) }));

      expect(answer.error).toMatch(/message.*2000.*2001/);
      await stage.stepsAre([{ step_name: 'Build', status: 'running', message: EMOJI.repeat(2_000) }]);
    },
  },
  {
    cites: ['R1.3'],
    title: 'says that a step is unknown, whatever its id looks like',
    play: async (stage) => {
      const { made } = await begun(stage);
      const { call, execution_id } = stage;

      const unknown = await refused(call('update_step', { execution_id, step_id: NO_SUCH, status: 'failed' }));
      const strange = await refused(call('update_step', { execution_id, step_id: 'a/../b', status: 'failed' }));

      expect(unknown).toMatchObject({ error_code: 'not_found', status_code: 404 });
      expect(unknown.error).toMatch(new RegExp(`^No step ${NO_SUCH}`));
      expect(strange.error).toBe(unknown.error?.replace(NO_SUCH, 'a/../b'));
      await stage.stepsAre([{ step_name: made.step_name as string, status: 'running', message: 'Begun' }]);
    },
  },
  {
    cites: ['R1.3'],
    title: 'updates a step only through the run that it belongs to',
    not_over: MAKES_RUNS,
    play: async (stage) => {
      const { made } = await begun(stage);

      const args = { execution_id: NO_SUCH, step_id: made.step_id, status: 'failed' };
      const answer = await refused(stage.call('update_step', args));

      expect(answer).toMatchObject(noRun(NO_SUCH));
      await stage.stepsAre([{ step_name: 'Build', status: 'running', message: 'Begun' }]);
    },
  },
  {
    cites: ['R5.5', 'R3.6'],
    title: 'keeps several steps apart, each as it was last reported',
    play: async ({ call, execution_id, stepsAre }) => {
      const [first, second] = [
        await taken(call('create_step', { execution_id, step_name: 'First' })),
        await taken(call('create_step', { execution_id, step_name: 'Second', status: 'skipped' })),
      ];

      const updates = [
        await taken(call('update_step', { execution_id, step_id: second.step_id, message: 'Not needed' })),
        await taken(call('update_step', { execution_id, step_id: first.step_id, status: 'completed' })),
      ];

      expect(updates).toMatchObject([
        { step_id: second.step_id, status: 'skipped', message: 'Not needed' },
        { step_id: first.step_id, status: 'completed' },
      ]);
      await stepsAre([
        { step_name: 'First', status: 'completed', message: null },
        { step_name: 'Second', status: 'skipped', message: 'Not needed' },
      ]);
    },
  },
];
