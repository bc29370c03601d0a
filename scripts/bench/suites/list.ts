import { temporaryFolder } from '../../../test/e2e/program.ts';
import { startChild } from '../child.ts';
import { startErrand } from '../errand.ts';
import { type Burst, fire, type Shot } from '../load.ts';
import { mustAnswer } from '../must-answer.ts';
import { type Finding, milliseconds, perSecond, type Section } from '../report.ts';
import { compete, median, ratio } from '../rounds.ts';
import type { Suite } from '../suite.ts';

const CONNECTIONS = 32;
const ROWS = 10;

/** Measures a read through all of Errand, beside servers that do less. */
export const list: Suite = async ({ effort, wrk }): Promise<Section> => {
  await using folder = await temporaryFolder();
  await using errand = await startErrand({ data: folder.path });
  const { user_id } = errand;
  for (let index = 1; index <= ROWS; index++) {
    await errand.call('add_task', { user_id, title: `Buy groceries ${index}`, description: 'Milk, bread and eggs' });
  }
  const result = await errand.call('list_tasks', { user_id });

  const legacy = errand.shot('2025-11-25', 'list_tasks', { user_id });
  const modern = errand.shot('2026-07-28', 'list_tasks', { user_id });
  const content = JSON.stringify(result.structuredContent);
  await using raw = await startChild<{ url: string }>('raw-http.ts', JSON.stringify(result));
  await using sdk2 = await startChild<{ url: string }>('sdk-2.ts', content);
  await using sdk1 = await startChild<{ url: string }>('sdk-1.ts', content);

  const shots: Readonly<Record<string, Shot>> = {
    raw: { ...modern, url: raw.message.url },
    legacy,
    modern,
    sdk2: { ...modern, url: sdk2.message.url },
    sdk1: { ...legacy, url: sdk1.message.url },
  };
  for (const [name, shot] of Object.entries(shots)) await mustAnswer(name, shot, result);
  const figures = await compete<Burst>(
    Object.entries(shots).map(([name, shot]) => ({
      name,
      run: (seconds: number) => fire(shot, { connections: CONNECTIONS, seconds }, wrk),
    })),
    effort,
  );
  const speeds = (name: string) => (figures.get(name) ?? []).map(({ requests, seconds }) => requests / seconds);
  const failed = [...figures.values()].flat().reduce((sum, burst) => sum + burst.failed, 0);
  if (failed > 0) throw new Error(`${failed} requests failed.`);

  const p99 = (name: string) => median((figures.get(name) ?? []).map(({ p99_ms }) => p99_ms));
  const line = (name: string) => `${perSecond(median(speeds(name)))}, p99 ${milliseconds(p99(name))}`;
  const against = (subject: string, name: string, other: string, label: string, least?: number): Finding => {
    const measured = ratio(speeds(name), speeds(other));
    return {
      subject,
      figure: line(name),
      against: `${label}: ${perSecond(median(speeds(other)))}`,
      ratio: measured,
      ...(least !== undefined && { target: `≥ ${least} ×`, met: measured >= least }),
    };
  };
  return {
    title: 'Reading: `list_tasks`',
    how: `${ROWS} rows over HTTP, ${CONNECTIONS} connections, token checked in every call. Nothing is written meanwhile, so Errand keeps its answer too. The others have the same answer in memory and check no token; the SDKs offer the same tool with the same schemas.`,
    findings: [
      against('Errand, 2026-07-28', 'modern', 'raw', 'raw `node:http`', 0.75),
      against('Errand, 2025-11-25', 'legacy', 'raw', 'raw `node:http`', 0.75),
      against('Errand, 2026-07-28', 'modern', 'sdk2', 'SDK 2.4 `createMcpHandler`', 8),
      against('Errand, 2025-11-25', 'legacy', 'sdk1', 'SDK 1.32 stateless'),
    ],
  };
};
