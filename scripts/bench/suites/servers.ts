import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { LANE, WRITER_LOCK } from '../../../packages/server/src/store/sql/postgres/postgres-writer.ts';
import { adminOf, adminToken } from '../../../test/e2e/admin.ts';
import { freshPostgres } from '../../../test/e2e/database.ts';
import { sendJson } from '../../../test/e2e/http.ts';
import { temporaryFolder } from '../../../test/e2e/program.ts';
import { startPostgres } from '../../postgres.ts';
import { startChild } from '../child.ts';
import { serve } from '../errand.ts';
import { fire } from '../load.ts';
import { type Finding, perSecond, type Section } from '../report.ts';
import { median } from '../rounds.ts';
import type { Conditions, Suite } from '../suite.ts';

const DELAY_MS = 2;
const MOST = 3;
/** Callers of each server. Each writes into a todo list of its own. */
const CALLERS = 8;
const LOOK_EVERY_MS = 20;
const MAX_WAITING = 0.02;

interface Setting {
  readonly name: string;
  readonly delay_ms: number;
  /** The least that two and three servers must do, by what one does. */
  readonly least: readonly [number, number];
}

const SETTINGS: readonly Setting[] = [
  { name: `PostgreSQL ${DELAY_MS} ms away`, delay_ms: DELAY_MS, least: [1.7, 2.2] },
  { name: 'PostgreSQL beside them', delay_ms: 0, least: [1, 1] },
];

/** What several servers did together. */
interface Round {
  readonly per_second: number;
  readonly failed: number;
  readonly p99_ms: number;
  /** The part of the time in transactions that was spent waiting for a writer of another project. */
  readonly waiting: number;
  readonly busy_cores: number;
}

const busyMs = (): number => {
  const times = cpus().map(({ times: { idle: _, ...busy } }) => Object.values(busy));
  return times.flat().reduce((sum, value) => sum + value, 0);
};

/**
 * The transactions of writers, and those of them that wait for a writer of another project. A writer holds the lock of a
 * lane, or has or wants the one that all share; a connection with neither gives places after commits, and no call waits
 * for it. Every lock counts, of whatever kind, but that of a lane: it is waited for by writers of its own project. Where
 * two projects have one lock, it counts.
 */
const LOOK = `
  with common as (
    select hashtext(id)::bigint & 4294967295 as lane from projects group by 1 having count(*) > 1),
  held as (
    select pid, granted, objid::bigint as lane, mode = 'ExclusiveLock' as is_alone,
      coalesce(locktype = 'advisory' and classid = ${LANE} and objsubid = 2, false) as is_lane,
      coalesce(locktype = 'advisory' and classid = 0 and objid = ${WRITER_LOCK} and objsubid = 1, false) as is_all
    from pg_locks join pg_stat_activity using (pid)
    where application_name = 'errand' and datname = current_database() and xact_start is not null),
  writers as (
    select bool_or(not granted and (not is_lane or lane in (select lane from common))) as waits
    from held group by pid having bool_or(is_lane or (is_all and (is_alone or not granted))))
  select count(*) filter (where waits)::int as waiting, count(*)::int as working from writers`;

/** Looks at the writers until it is stopped. */
function lookAtWriters(client: pg.Client) {
  let [waiting, working, isOver] = [0, 0, false];
  const looking = (async () => {
    while (!isOver) {
      const { rows } = await client.query<{ waiting: number; working: number }>(LOOK);
      waiting += rows[0]?.waiting ?? 0;
      working += rows[0]?.working ?? 0;
      await sleep(LOOK_EVERY_MS);
    }
  })();
  return async (): Promise<number> => {
    isOver = true;
    await looking;
    return waiting / Math.max(1, working);
  };
}

interface Target {
  readonly origin: string;
  readonly users: readonly string[];
}

interface Crew {
  readonly targets: readonly Target[];
  readonly token: string;
  readonly client: pg.Client;
}

async function writeWith({ targets, token, client }: Crew, seconds: number, wrk: boolean): Promise<Round> {
  const stop = lookAtWriters(client);
  const [began, busy] = [performance.now(), busyMs()];
  const bursts = await Promise.all(
    targets.map(({ origin, users }) =>
      fire(
        {
          url: `${origin}/api/v1/todo/tasks`,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ user_id: '$ONE', title: 'Buy groceries $KEY', idempotency_key: '$KEY' }),
          ones: users,
        },
        { connections: CALLERS, seconds },
        wrk,
      ),
    ),
  );
  return {
    per_second: bursts.reduce((sum, { requests, seconds: took }) => sum + requests / took, 0),
    failed: bursts.reduce((sum, { failed }) => sum + failed, 0),
    p99_ms: Math.max(...bursts.map(({ p99_ms }) => p99_ms)),
    busy_cores: (busyMs() - busy) / (performance.now() - began),
    waiting: await stop(),
  };
}

async function roundsOf({ delay_ms }: Setting, { effort, wrk }: Conditions, postgres: string): Promise<Round[][]> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await temporaryFolder());
  const database_url = await freshPostgres(postgres);
  const place = { data: folder.path, database_url };
  const targets: Target[] = [];
  let token = '';
  for (let i = 0; i < MOST; i++) {
    // Each server has a proxy of its own, as each has its own network.
    const proxy = opened.use(await startChild<{ url: string }>('delay-proxy.ts', database_url, String(delay_ms)));
    const server = opened.use(await serve(delay_ms === 0 ? place : { ...place, database_url: proxy.message.url }));
    if (token === '') {
      const admin = adminOf(server.origin, await adminToken(place));
      ({ token } = await admin.createToken({ kind: 'service', user_ids: ['*'] }));
    }
    const users = Array.from({ length: CALLERS }, (_, n) => `user-${i}-${n}`);
    for (const user_id of users) {
      const { status, text } = await sendJson(server.origin, '/api/v1/todo/tasks', token, { user_id, title: 'First' });
      if (status >= 300) throw new Error(`add_task answered ${status}: ${text}`);
    }
    targets.push({ origin: server.origin, users });
  }
  const client = new pg.Client({ connectionString: database_url, application_name: 'bench' });
  await client.connect();
  opened.defer(() => client.end());

  const rounds: Round[][] = [[], [], []];
  const crewOf = (size: number): Crew => ({ targets: targets.slice(0, size), token, client });
  await writeWith(crewOf(MOST), 2, wrk);
  for (let round = 0; round < effort.rounds; round++) {
    for (let size = 1; size <= MOST; size++) {
      rounds[size - 1]?.push(await writeWith(crewOf(size), effort.seconds, wrk));
    }
  }
  return rounds;
}

const middle = (rounds: readonly Round[], field: keyof Round): number => median(rounds.map((round) => round[field]));

function findingsOf({ name, least }: Setting, [one = [], ...more]: readonly (readonly Round[])[]): readonly Finding[] {
  const facts = (rounds: readonly Round[]): string =>
    `p99 ${middle(rounds, 'p99_ms').toFixed(0)} ms, ${middle(rounds, 'busy_cores').toFixed(1)} cores busy`;
  const all = [one, ...more].flat();
  const failed = all.reduce((sum, round) => sum + round.failed, 0);
  const waiting = Math.max(...[one, ...more].map((rounds) => middle(rounds, 'waiting')));
  return [
    { subject: `${name}: 1 server`, figure: perSecond(middle(one, 'per_second')), against: facts(one) },
    ...more.map((rounds, i) => {
      const ratio = median(rounds.map((round, at) => round.per_second / (one[at]?.per_second ?? Number.NaN)));
      const target = least[i] ?? 1;
      return {
        subject: `${name}: ${i + 2} servers`,
        figure: perSecond(middle(rounds, 'per_second')),
        against: facts(rounds),
        ratio,
        target: `≥ ${target} ×`,
        met: ratio >= target,
      };
    }),
    { subject: `${name}: failed calls`, figure: String(failed), target: '0', met: failed === 0 },
    {
      subject: `${name}: time waiting for writers of other projects`,
      figure: `${(waiting * 100).toFixed(1)} %`,
      target: `< ${MAX_WAITING * 100} %`,
      met: waiting < MAX_WAITING,
    },
  ];
}

/** Measures what several servers on one PostgreSQL write together, each into projects of its own. */
export const servers: Suite = async (conditions): Promise<Section> => {
  const postgres = await startPostgres();
  try {
    const findings: Finding[] = [];
    for (const setting of SETTINGS) {
      findings.push(...findingsOf(setting, await roundsOf(setting, conditions, postgres.url)));
    }
    return {
      title: 'Several servers on one PostgreSQL',
      how: `\`add_task\` over REST with a new key in every request, ${CALLERS} callers at each server, each with a todo list of its own: no two write into one project. All servers, the load and PostgreSQL share the cores of the machine. ${DELAY_MS} ms away: a proxy before each server's connections delays what is asked, so that each round trip takes that much longer.`,
      findings,
    };
  } finally {
    await postgres.stop();
  }
};
