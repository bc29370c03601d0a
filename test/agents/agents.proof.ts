import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../e2e/program.ts';
import { type Agent, TRANSPORTS, type Transport } from './agent.ts';
import { AGENTS } from './agents.ts';
import { type Errand, openErrand } from './errand.ts';
import { runAgent } from './launch.ts';
import { createPlay, type ScriptedCall } from './model/script.ts';
import { startModel } from './model/server.ts';

const TIMEOUT_MS = 120_000;

let errand: Errand;
beforeAll(async () => {
  errand = await openErrand();
}, TIMEOUT_MS);
afterAll(async () => {
  await errand?.[Symbol.asyncDispose]();
});

/** Runs an agent once, with a model that makes these calls. */
async function play(agent: Agent, transport: Transport, calls: readonly ScriptedCall[]) {
  await using home = await temporaryFolder();
  await using model = await startModel(createPlay(calls));
  const setting = { home: home.path, model: model.origin, server: errand.reach(transport) };

  const { code, stdout, stderr } = await runAgent(agent, setting);

  const story = [`It ended with ${code}. Its model:`, ...model.story, 'It wrote:', stderr.slice(-1_000)].join('\n');
  expect(code, story).toBe(0);
  return { story, session: agent.sessionIn(stdout), folder: join(home.path, 'work') };
}

const reportsOf = (execution_id: string, session_id: string): readonly ScriptedCall[] => [
  { tool: 'update_execution_session', arguments: { execution_id, session_id } },
  { tool: 'create_step', arguments: { execution_id, step_name: 'Build', message: 'Compiles all of it.' } },
  { tool: 'update_step', arguments: { execution_id, step_id: '$STEP_ID', status: 'completed' } },
];

describe.each(AGENTS)('$title $version', (agent) => {
  it.each(TRANSPORTS)(
    '[R1.1, R2.1, R2.2, R3.1] registers its session, creates a step and finishes it over %s',
    async (transport) => {
      const id = await errand.createExecution();

      const { story } = await play(agent, transport, reportsOf(id, `session of ${agent.title}`));

      expect(await errand.getExecution(id), story).toMatchObject({ session_id: `session of ${agent.title}` });
      expect(await errand.listSteps(id), story).toMatchObject([
        { seq: 1, step_name: 'Build', message: 'Compiles all of it.', status: 'completed', source: 'agent' },
      ]);
    },
    TIMEOUT_MS,
  );

  it.each(TRANSPORTS)(
    'is recognized by what it always sends over %s',
    async (transport) => {
      const facts = agent.sends[transport];
      const execution_id = await errand.createExecution();

      const { story, session, folder } = await play(agent, transport, [
        { tool: 'create_step', arguments: { execution_id, step_name: 'Build' } },
      ]);

      expect(session, story).toMatch(/\w{8}/);
      expect(await errand.getExecution(execution_id), story).toMatchObject({
        client: facts.includes('client') ? expect.stringContaining(agent.version) : null,
        session_id: facts.includes('session') ? session : null,
        worktree_path: transport === 'stdio' ? folder : null,
      });
    },
    TIMEOUT_MS,
  );
});
