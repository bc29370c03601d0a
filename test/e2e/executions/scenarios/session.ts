import { expect } from 'vitest';
import { refused, type Scenario, taken } from '../scenario.ts';
import { MAKES_RUNS, NO_ENVELOPE, noRun, STRANGE_IDS, TIME, WORLD } from './words.ts';

/** Registering a session. */
export const SESSION: readonly Scenario[] = [
  {
    cites: ['R1.1', 'R1.2'],
    title: 'registers a session',
    play: async ({ call, execution_id, runIs }) => {
      const data = await taken(call('update_execution_session', { execution_id, session_id: 'ses_1' }));

      expect(data).toMatchObject({ id: execution_id, execution_id, session_id: 'ses_1', started_at: TIME });
      await runIs({ session_id: 'ses_1', status: 'running' });
    },
  },
  {
    cites: ['R1.1', 'R1.2'],
    title: 'replaces the session that was registered before',
    play: async ({ call, execution_id, runIs }) => {
      const first = await taken(call('update_execution_session', { execution_id, session_id: 'ses_1' }));

      const data = await taken(call('update_execution_session', { execution_id, session_id: WORLD }));

      expect(data).toMatchObject({ session_id: WORLD, started_at: first.started_at });
      await runIs({ session_id: WORLD });
    },
  },
  {
    cites: ['R1.2', 'R2.2', 'R3.6', 'R4.1'],
    title: 'says in a message what was done',
    not_over: NO_ENVELOPE,
    play: async ({ call, execution_id }) => {
      const session = await call('update_execution_session', { execution_id, session_id: 'ses_1' });
      const created = await call('create_step', { execution_id, step_name: 'Look around' });
      const step_id = created.data?.step_id;
      const updated = await call('update_step', { execution_id, step_id, status: 'completed' });
      const health = await call('health_check', {});

      expect([session, created, updated, health].map(({ message }) => message)).toEqual([
        'Session registered',
        'Step created',
        'Step updated',
        'Task Manager is healthy',
      ]);
    },
  },
  {
    cites: ['R1.3', 'R2.8'],
    title: 'says that an execution is unknown, whatever its id looks like',
    not_over: MAKES_RUNS,
    play: async ({ call }) => {
      for (const id of STRANGE_IDS) {
        const session = await refused(call('update_execution_session', { execution_id: id, session_id: 'x' }));
        const step = await refused(call('create_step', { execution_id: id, step_name: 'x' }));

        expect(session).toMatchObject(noRun(id));
        expect(step).toMatchObject(noRun(id));
      }
    },
  },
  ...['execution_id', 'session_id'].map(
    (missing): Scenario => ({
      cites: ['R1.4', 'R1.3'],
      title: `refuses a session without ${missing}`,
      not_over: {
        'Task Manager API':
          missing === 'session_id' ? 'a patch of an execution may leave it out' : 'the id is in the address',
      },
      play: async ({ call, execution_id, runIs }) => {
        const whole = { execution_id, session_id: 'ses_1' };

        const answer = await refused(call('update_execution_session', { ...whole, [missing]: undefined }));

        expect(answer).toMatchObject({ error: expect.stringContaining(missing), error_code: 'validation_error' });
        await runIs({ session_id: null });
      },
    }),
  ),
];
