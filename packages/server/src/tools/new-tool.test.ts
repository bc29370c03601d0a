import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createWorld } from '#testing/world';
import { createProgram } from '#transports/cli/program';
import { listedTools } from '#transports/mcp/catalog-host';
import { openApi } from '#transports/rest/openapi';
import { createToolEndpoints } from '#transports/rest/tool-endpoints';
import { cliPage } from '../../../../scripts/generate/cli-page.ts';
import { clientOf } from '../../../../scripts/generate/rest-client.ts';
import { surfaceOf } from '../../../../scripts/generate/surface.ts';
import { swagger } from '../../../../scripts/generate/swagger.ts';
import { toolNames } from '../../../../scripts/generate/tool-names.ts';
import { toolsPage } from '../../../../scripts/generate/tools-page.ts';
import { catalog, inProfile, type Tool } from './catalog.ts';
import { defineTool } from './define.ts';

/** All that a new tool takes: its definition, and a place in the list of a profile. */
const definition = defineTool({
  name: 'polish_task',
  title: 'Polish a task',
  description: 'Polishes a task of the board.',
  scope: 'board:read',
  effect: 'read',
  route: 'GET /polished/{task_id}',
  input: z.object({ task_id: z.string().describe('The task.') }),
  output: z.object({ shine: z.int().describe('How much it shines.') }),
  run: async () => ({ shine: 11 }),
});

const tool: Tool = inProfile('board', definition);
const tools = [...catalog, tool];

const nothing = async (): Promise<void> => {};

describe('a new tool', () => {
  it('is listed to agents, at the address of its profile and of all', () => {
    for (const profile of ['board', 'all'] as const) {
      expect(listedTools(tools, profile).get('polish_task')).toMatchObject({ name: 'polish_task' });
    }
  });

  it('is called through the gateway like any other', async () => {
    await using world = await createWorld({ tools });

    expect(await world.ask('polish_task', { task_id: 't' })).toEqual({ shine: 11 });
  });

  it('has an endpoint, and is described in the OpenAPI document', async () => {
    await using world = await createWorld({ tools });
    const endpoints = createToolEndpoints({
      tools,
      gateway: world.gateway,
      authenticate: () => Promise.resolve(world.owner),
      version: '1.2.3',
    });

    expect(endpoints.map(({ method, path }) => `${method} ${path}`)).toContain('GET /api/v1/polished/{task_id}');
    expect(JSON.stringify(openApi(tools, '1.0.0'))).toContain('"operationId":"polish_task"');
  });

  it('is a command that calls it', async () => {
    const ran: unknown[] = [];
    const program = createProgram(tools, '1.0.0', {
      serve: nothing,
      mcp: nothing,
      worker: nothing,
      open: nothing,
      connect: nothing,
      board: nothing,
      step: nothing,
      login: nothing,
      logout: nothing,
      migrate: nothing,
      doctor: nothing,
      runTool: async ({ full_name }, input) => void ran.push(full_name, input),
    });

    await program.parseAsync(['board', 'polish-task', '--task-id', 't1'], { from: 'user' });

    expect(ran).toEqual(['polish_task', { task_id: 't1' }]);
  });

  it('is a function of the generated client', async () => {
    const document = JSON.parse(JSON.stringify(openApi([tool], '1.0.0')));

    const client = await clientOf(document, { file: 'docs/swagger.yaml', text: swagger(tools, '1.0.0') });

    expect(client).toContain('function polishTask');
  });

  it('is in every generated file', () => {
    expect(toolsPage(tools)).toContain('polish_task');
    expect(cliPage(tools, '1.0.0')).toContain('errand board polish-task');
    expect(toolNames(tools)).toContain("| 'polish_task'");
    expect(surfaceOf(tool)).toMatchObject({ name: 'polish_task' });
  });
});
