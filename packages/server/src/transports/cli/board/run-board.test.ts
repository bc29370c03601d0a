import { afterEach, describe, expect, it, vi } from 'vitest';
import { aBoard } from '#testing/attempts';
import { createWorld } from '#testing/world';
import { localCalls } from '#transports/cli/local-calls';
import { runBoard } from './run-board.ts';
import { showTask } from './show-task.ts';

const printed: string[] = [];
vi.spyOn(process.stderr, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
afterEach(() => {
  printed.length = 0;
});

describe('an everyday command', () => {
  it('prints the refusal of a tool, and ends with its exit code', async () => {
    const { gateway, owner } = await createWorld();

    const code = await runBoard(localCalls(gateway, owner), false, (cli) => showTask(cli, 'x'));

    expect(code).toBe(4);
    expect(printed.join('')).toBe(
      'errand: No task x in the projects where you may do this.\nRun errand task list for keys.\n',
    );
  });

  it('prints it as JSON for a script, in the words of the tools', async () => {
    const { gateway, owner } = await createWorld();

    await runBoard(localCalls(gateway, owner), true, (cli) => showTask(cli, 'x'));

    expect(JSON.parse(printed.join(''))).toMatchObject({
      error: { code: 'not_found', hint: 'Call list_tasks for keys.' },
    });
  });

  it('may do what the token may, and no more', async () => {
    const world = await createWorld();
    const { task_id } = await aBoard(world);
    const caller = await world.callerWith({ scopes: ['todo:read'] });

    const code = await runBoard(localCalls(world.gateway, caller), false, (cli) => showTask(cli, task_id as string));

    expect(code).toBe(3);
    expect(printed.join('')).toContain('board:read');
  });

  it('passes unexpected errors on', async () => {
    const { gateway, owner } = await createWorld();

    const work = runBoard(localCalls(gateway, owner), false, () => Promise.reject(new Error('broken')));

    await expect(work).rejects.toThrow('broken');
  });
});
