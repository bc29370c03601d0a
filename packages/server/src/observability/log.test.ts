import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { withoutSecrets } from './redact.ts';

const SECRET = 'errand_user_LKC7e1mGRVHTqzk8bgiaG9yCM9Kw1R4TFYt9';

/** What a process of its own writes when it logs with this script. */
async function written(script: string): Promise<{ raw: string }> {
  const module = new URL('./log.ts', import.meta.url).href;
  const source = `import { createLog } from ${JSON.stringify(module)};\n${script}`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [raw] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { raw };
}

async function logged(script: string): Promise<{ lines: Record<string, unknown>[]; raw: string }> {
  const { raw } = await written(script);
  const lines = raw.split('\n').filter((line) => line !== '');
  return { raw, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('the log', () => {
  it('writes one JSON object per call, at a level by its outcome', async () => {
    const { lines } = await logged(`
      const log = createLog({ level: 'info', fd: 1 });
      for (const outcome of ['ok', 'not_found', 'internal']) log.call({ tool: 'todo_add_task', outcome });
      log.flush();
    `);

    expect(lines.map(({ level, tool, outcome, msg }) => [level, tool, outcome, msg])).toEqual([
      ['info', 'todo_add_task', 'ok', 'call'],
      ['warn', 'todo_add_task', 'not_found', 'call'],
      ['error', 'todo_add_task', 'internal', 'call'],
    ]);
  });

  it('writes no secret of Errand, in whatever place', async () => {
    const { raw, lines } = await logged(`
      const log = createLog({ level: 'info', fd: 1 });
      log.info('got ${SECRET}', { header: 'Bearer ${SECRET}', deep: { list: ['${SECRET}'] } });
      log.error('thrown', { error: new Error('bad ${SECRET}') });
      log.flush();
    `);

    expect(lines).toHaveLength(2);
    expect(raw).not.toContain(SECRET.slice(12));
  });

  it('is short for a person, and has no secrets there either', async () => {
    const { raw } = await written(`
      const log = createLog({ level: 'info', fd: 1, is_short: true });
      log.call({ tool: 'todo_add_task', outcome: 'ok' });
      log.warn('got ${SECRET}');
      log.flush();
    `);

    expect(raw).toMatch(/^[\d:]{8} info call tool=todo_add_task outcome=ok\n/);
    expect(raw).toMatch(/\n[\d:]{8} warn got errand_\[redacted\]\n$/);
  });

  it('is written without an explicit flush', async () => {
    const { lines } = await logged(`
      createLog({ level: 'info', fd: 1 }).info('hello');
      setTimeout(() => {}, 400);
    `);

    expect(lines).toMatchObject([{ msg: 'hello' }]);
  });

  it('drops lines below its level', async () => {
    const { lines } = await logged(`
      const log = createLog({ level: 'error', fd: 1 });
      log.call({ outcome: 'ok' });
      log.warn('careful');
      log.flush();
    `);

    expect(lines).toEqual([]);
  });
});

describe('withoutSecrets', () => {
  it('removes secrets of every kind and keeps other words', () => {
    expect(withoutSecrets(`a ${SECRET}, errand_agent_${'x'.repeat(36)} and errand_data`)).toBe(
      'a errand_[redacted], errand_[redacted] and errand_data',
    );
  });
});
