import { join } from 'node:path';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { tableDefinition } from '@errand/tasks/dynamodb';
import { freshPostgres } from '../../../test/e2e/database.ts';
import { temporaryFolder } from '../../../test/e2e/program.ts';
import { startDynamoDb } from '../../dynamodb.ts';
import { startPostgres } from '../../postgres.ts';
import { startRedis } from '../../redis.ts';
import { startChild } from '../child.ts';
import { type Finding, perSecond, type Section } from '../report.ts';
import { compete, type Effort, median, ratio } from '../rounds.ts';
import type { Suite } from '../suite.ts';
import { localDynamoDb } from '../targets/open-task-store.ts';
import { IN_FLIGHT } from '../targets/task-cycles.ts';

interface Backend {
  readonly kind: string;
  readonly name: string;
  readonly ours: string;
  /** The address of a database for the driver alone; null when there is none. */
  readonly raw: string | null;
  readonly least?: number;
}

interface CycleAnswer {
  readonly per_second: number;
}

async function measure({ kind, name, ours, raw, least }: Backend, effort: Effort): Promise<Finding> {
  await using mine = await startChild('tasks-ours.ts', kind, ours);
  await using theirs = raw === null ? null : await startChild('tasks-raw.ts', kind, raw);
  const speedOf = (child: typeof mine) => async (seconds: number) =>
    ((await child.ask({ seconds })) as CycleAnswer).per_second;
  const figures = await compete<number>(
    [{ name: 'ours', run: speedOf(mine) }, ...(theirs === null ? [] : [{ name: 'theirs', run: speedOf(theirs) }])],
    effort,
  );
  const speeds = figures.get('ours') ?? [];
  const rival = figures.get('theirs');
  const measured = rival && ratio(speeds, rival);
  return {
    subject: name,
    figure: perSecond(median(speeds)),
    ...(rival &&
      measured !== undefined && { against: `the driver alone: ${perSecond(median(rival))}`, ratio: measured }),
    ...(least !== undefined && measured !== undefined && { target: `≥ ${least} ×`, met: measured >= least }),
  };
}

/** Measures a task in each store, beside the driver that writes the same rows without rules. */
export const tasksStores: Suite = async ({ effort }): Promise<Section> => {
  await using folder = await temporaryFolder();
  const postgres = await startPostgres();
  const redis = await startRedis();
  const dynamodb = await startDynamoDb();
  try {
    await localDynamoDb(dynamodb.endpoint).send(new CreateTableCommand(tableDefinition('tasks').create));
    const backends: readonly Backend[] = [
      { kind: 'memory', name: 'memory', ours: '', raw: null },
      {
        kind: 'sqlite',
        name: 'SQLite',
        ours: join(folder.path, 'ours.db'),
        raw: join(folder.path, 'raw.db'),
        least: 0.7,
      },
      {
        kind: 'postgres',
        name: 'PostgreSQL',
        ours: await freshPostgres(postgres.url),
        raw: await freshPostgres(postgres.url),
        least: 0.7,
      },
      { kind: 'redis', name: 'Redis', ours: redis.url, raw: redis.url, least: 0.7 },
      { kind: 'dynamodb', name: 'DynamoDB Local', ours: dynamodb.endpoint, raw: dynamodb.endpoint },
    ];
    const findings: Finding[] = [];
    for (const backend of backends) findings.push(await measure(backend, effort));
    return {
      title: 'Tasks: create, get and complete',
      how: `\`@errand/tasks\` in process, ${IN_FLIGHT} tasks at a time of as many owners, each made, read and completed with all its rules. The driver alone inserts, reads and updates a row of the same size (under the same indexes, but for DynamoDB), at the same concurrency and with the same durability, and checks nothing.`,
      findings,
    };
  } finally {
    await Promise.allSettled([postgres.stop(), redis.stop(), dynamodb.stop()]);
  }
};
