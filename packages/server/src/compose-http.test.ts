import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '#config';
import { createLog } from '#observability/log';
import { openServed } from './compose-http.ts';

it('a server names the executors of config.json that are ready', async () => {
  const data = mkdtempSync(join(tmpdir(), 'errand-served-'));
  const entry = (program: string) => ({ kind: 'command', command: [program] });
  const executors = { formatter: { ...entry(process.execPath), title: 'The formatter' }, broken: entry('/nowhere/x') };
  writeFileSync(join(data, 'config.json'), JSON.stringify({ executors }), { mode: 0o600 });
  const log = createLog({ level: 'silent', fd: 2 });
  const config = readConfig({}, { data });
  const served = await openServed(config, { profile: 'all', version: '1.2.3', errand_argv: ['errand'], log });

  await served.startRuns('http://127.0.0.1:9');
  const own = await served.ownExecutors();
  await served.stopRuns();
  await served.close();

  expect(own).toEqual(['The formatter']);
  rmSync(data, { recursive: true });
});
