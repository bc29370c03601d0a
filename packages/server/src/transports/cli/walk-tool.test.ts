import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWorld, type World } from '#testing/world';
import { localCalls } from './local-calls.ts';
import { callerOf, runTool } from './run-tool.ts';

const streams = { out: '', err: '' };

beforeEach(() => {
  streams.out = '';
  streams.err = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    streams.out += String(text);
    // The stream is full: the next line waits for the reader.
    setImmediate(() => process.stdout.emit('drain'));
    return false;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    streams.err += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

async function exportAudit({ gateway }: World, input: Record<string, unknown>, token: string | null = null) {
  const tool = gateway.find('admin_export_audit', 'all');
  if (tool === undefined) throw new Error('no tool admin_export_audit');
  return runTool({ calls: localCalls(gateway, await callerOf(gateway, token)), tool, input, json: false });
}

describe('a list in parts on the command line', () => {
  it('is printed whole, a line for each row, and the other fields of the last part', async () => {
    await using world = await createWorld();
    for (let i = 0; i < 5; i++) await world.addUser(`U${i}`);

    const code = await exportAudit(world, { limit: 2 });

    const lines = streams.out.trimEnd().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as { seq?: number; head?: { seq: number } });
    expect(code).toBe(0);
    expect(rows.map(({ seq, head }) => seq ?? `head ${head?.seq}`)).toEqual([1, 2, 3, 4, 5, 'head 5']);
  });

  it('ends with the failure that stopped it', async () => {
    await using world = await createWorld();
    const { token } = await world.token({ scopes: ['todo:read'] });

    const code = await exportAudit(world, {}, token as string);

    expect(code).toBe(3);
    expect(streams.out).toBe('');
    expect(streams.err).toContain('needs the scope admin');
  });
});
