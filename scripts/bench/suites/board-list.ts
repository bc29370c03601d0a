import { openSite } from '../../../test/e2e/board-durability/site.ts';
import { freshPostgres } from '../../../test/e2e/database.ts';
import { bearer, send } from '../../../test/e2e/http.ts';
import { startPostgres } from '../../postgres.ts';
import { seedBoard } from '../board-seed.ts';
import { serve } from '../errand.ts';
import { percentile } from '../polling.ts';
import { type Finding, milliseconds, type Section } from '../report.ts';
import type { Effort } from '../rounds.ts';
import type { Suite } from '../suite.ts';

const TASKS = 10_000;
const ATTEMPTS = 3;
const CANCELLED = 20;
const MAX_P95_MS = 30;
const LIMITS = [50, 200];

interface Listed {
  readonly tasks: readonly unknown[];
  readonly next_cursor?: string;
}

interface Question {
  readonly subject: string;
  readonly query: Readonly<Record<string, string>>;
  readonly rows: number;
}

type Ask = (query: Readonly<Record<string, string>>) => Promise<Listed>;

/** Returns a cursor in the middle of the list. */
async function middle(ask: Ask): Promise<string> {
  let cursor: string | undefined;
  for (let seen = 0; seen < TASKS / 2; seen += 200) {
    ({ next_cursor: cursor } = await ask({ limit: '200', ...(cursor !== undefined && { cursor }) }));
  }
  if (cursor === undefined) throw new Error('The list is too short.');
  return cursor;
}

const questions = (cursor: string): readonly Question[] =>
  LIMITS.flatMap((rows) => {
    const limit = String(rows);
    return [
      { subject: `the first ${rows}`, query: { limit }, rows },
      { subject: `${rows} from the middle`, query: { limit, cursor }, rows },
      { subject: `${rows} of a quarter`, query: { limit, status: 'inreview' }, rows },
      {
        subject: `the oldest ${CANCELLED} by status, of at most ${rows}`,
        query: { limit, status: 'cancelled' },
        rows: CANCELLED,
      },
    ];
  });

async function measure(label: string, ask: Ask, { rounds, seconds }: Effort): Promise<readonly Finding[]> {
  const asked = questions(await middle(ask));
  const times = new Map<Question, number[]>(asked.map((question) => [question, []]));
  // In turns, so that a slow minute of the machine affects all of them. Code is compiled in the first round.
  for (let round = 0; round <= rounds * seconds * 10; round++) {
    for (const question of asked) {
      const begun = performance.now();
      const { tasks } = await ask(question.query);
      if (tasks.length !== question.rows) throw new Error(`${question.subject}: ${tasks.length} rows.`);
      if (round > 0) times.get(question)?.push(performance.now() - begun);
    }
  }
  return [...times].map(([{ subject }, taken]) => {
    const p95 = percentile(taken, 0.95);
    return {
      subject: `${label}, ${subject}`,
      figure: `p95 ${milliseconds(p95)}, p50 ${milliseconds(percentile(taken, 0.5))}`,
      target: `< ${MAX_P95_MS} ms`,
      met: p95 < MAX_P95_MS,
    };
  });
}

async function onStore(label: string, database_url: string | undefined, effort: Effort): Promise<readonly Finding[]> {
  await using site = await openSite(database_url);
  await using server = await serve(site.place);
  await seedBoard(site.place, {
    project_id: site.project_id,
    tasks: TASKS,
    attempts: ATTEMPTS,
    cancelled: CANCELLED,
  });
  const ask: Ask = async (query) => {
    const path = `/api/v1/board/projects/${site.project_id}/tasks?${new URLSearchParams(query)}`;
    const { status, text } = await send(server.origin, { method: 'GET', path, headers: bearer(site.token) });
    if (status !== 200) throw new Error(`list_tasks answered ${status}: ${text}`);
    return JSON.parse(text) as Listed;
  };
  return await measure(label, ask, effort);
}

/** Compares reading a large board to reading a small one. */
export const boardList: Suite = async ({ effort }): Promise<Section> => {
  const postgres = await startPostgres();
  try {
    return {
      title: 'Growing: `list_tasks` of a large board',
      how: `A project of ${TASKS.toLocaleString('en')} tasks with ${ATTEMPTS} attempts each, over HTTP, one call at a time; the time is that of the caller, who reads the JSON.`,
      findings: [
        ...(await onStore('SQLite', undefined, effort)),
        ...(await onStore('PostgreSQL', await freshPostgres(postgres.url), effort)),
      ],
    };
  } finally {
    await postgres.stop();
  }
};
