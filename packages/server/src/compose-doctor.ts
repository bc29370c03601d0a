import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Config, databaseName, isLoopback } from '#config';
import type { OfferedExecutor } from '#domain/worker';
import { ErrandError } from '#errors';
import { createLog } from '#observability/log';
import { createExecutors } from '#runner/executors/create-executors';
import { configDigest, type RunnerConfig, readConfig } from '#runner/read-config';
import { unmatchedNames } from '#services/runs/unmatched-names';
import { TO_READ } from '#store/opening';
import { inspectSqlite } from '#store/sql/sqlite/inspect-sqlite';
import { createPaint } from '#transports/cli/board/run-board';
import type { Calls } from '#transports/cli/calls';
import { type Finding, failed, fine, tellFindings, warning } from '#transports/cli/doctor/finding';
import { checkClients, checkFolder, checkGit, checkNode, checkServer } from '#transports/cli/doctor/machine-checks';
import { checkRemote, clockFinding } from '#transports/cli/doctor/remote-checks';
import { WIDTH } from '#transports/cli/print';
import { findRunningServer, type RunningServer } from '#transports/cli/running-server';
import type { Machine } from '#transports/mcp-clients';
import { clock, openErrand } from './compose.ts';

const NOT_INSTALLED = /^not installed/;

/** A refusal as a finding: what it says, and what it advises. */
function refused(check: string, error: unknown): Finding {
  if (error instanceof ErrandError) return failed(check, error.message, error.hint ?? null);
  throw error;
}

/** The findings about the database, and its rows for the checks after it; null when they cannot be read. */
interface Examined {
  readonly findings: readonly Finding[];
  readonly unmatched: readonly string[] | null;
}

const named = ({ checks, budgets }: RunnerConfig): readonly string[] => [
  ...new Set([...Object.keys(checks), ...Object.keys(budgets.projects)]),
];

async function examineSqlite(path: string, names: readonly string[]): Promise<Examined> {
  if (!existsSync(path)) {
    const none = warning('database', `There is none at ${path} yet.`, 'Make it: errand serve');
    return { findings: [none], unmatched: null };
  }
  try {
    using inspected = inspectSqlite(path, clock);
    if (inspected === null) {
      const says = `${path} was not closed, and is recovered when it is next used.`;
      return { findings: [warning('database', says, 'Start the server: errand serve')], unmatched: null };
    }
    const { reads, latest } = inspected;
    const now = clock();
    const time =
      latest > now ? clockFinding(now, latest, 'the latest change') : fine('clock', 'after the latest change');
    return {
      findings: [fine('database', `${path}, whole and up to date`), time],
      unmatched: await unmatchedNames(reads, names),
    };
  } catch (error) {
    return { findings: [refused('database', error)], unmatched: null };
  }
}

async function examinePostgres(config: Config, names: readonly string[]): Promise<Examined> {
  const name = databaseName(config.database);
  try {
    const errand = await openErrand(config, createLog({ level: 'silent', fd: 2 }), { opening: TO_READ });
    try {
      const now = await errand.store.transaction(async (tx) => tx.now);
      const findings = [fine('database', `${name}, up to date`), clockFinding(clock(), now, 'the database')];
      return { findings, unmatched: await unmatchedNames(errand.store.reads, names) };
    } finally {
      await errand.close();
    }
  } catch (error) {
    return { findings: [refused('database', error)], unmatched: null };
  }
}

const unmatchedIn = (path: string, unmatched: readonly string[] | null): readonly Finding[] =>
  (unmatched ?? []).map((name) =>
    failed(
      'config',
      `${path} names ${JSON.stringify(name)}, which is no project and no repository of one.`,
      'Mend the name, and start the server again. The names: errand project list',
    ),
  );

interface ConfigFile {
  readonly data: string;
  readonly unmatched: readonly string[] | null;
  /** The server that runs on the data; null for none. */
  readonly running: RunningServer | null;
}

function checkConfig({ data, unmatched, running }: ConfigFile): readonly Finding[] {
  const path = join(data, 'config.json');
  // Valid, but not what runs and checks go by.
  if (running !== null && running.config !== null && running.config !== configDigest(data)) {
    const says = `${path} was changed after the server started, which works with the earlier one.`;
    const stale = warning('config', says, `Stop the server, process ${running.pid}, and start it again: errand serve`);
    return [stale, ...unmatchedIn(path, unmatched)];
  }
  if (!existsSync(path)) return [fine('config', `no ${path}, so the defaults count`)];
  const lost = unmatchedIn(path, unmatched);
  return lost.length > 0 ? lost : [fine('config', `${path}, valid`)];
}

/** The agents that a worker here would offer. One that the operator has named must be able to run. */
function executorFindings(offers: readonly OfferedExecutor[], { executors, agents }: RunnerConfig): readonly Finding[] {
  const ready = offers.filter(({ is_ready }) => is_ready);
  const isNamed = (name: string): boolean => Object.hasOwn(executors, name) || Object.hasOwn(agents, name);
  const unready = offers.filter(
    ({ executor, is_ready, problem }) => !is_ready && (isNamed(executor) || !NOT_INSTALLED.test(problem ?? '')),
  );
  const list = ready.map(({ title, version }) => (version === null ? title : `${title} ${version}`)).join(', ');
  return [
    ready.length === 0
      ? warning('agents', 'None that Errand could start is ready.', 'See what they need: errand executors')
      : fine('agents', list),
    ...unready.map(({ executor, title, problem }) => {
      const tell = isNamed(executor) ? failed : warning;
      return tell('agents', `${title} cannot be started.`, problem ?? 'It does not say why.');
    }),
  ];
}

async function checkExecutors(config: RunnerConfig, host: string, env: Machine['env']): Promise<readonly Finding[]> {
  const offering = createExecutors({ config, offerKnown: isLoopback(host), env, errandArgv: [] });
  return executorFindings(await offering.offers(), config);
}

/** The configuration of this machine, or why it is invalid. */
function configIn(data: string): RunnerConfig | Finding {
  try {
    return readConfig(data);
  } catch (error) {
    return refused('config', error);
  }
}

/** The checks that are the same for data here and for a server elsewhere. */
const examineMachine = async (machine: Machine): Promise<readonly Finding[]> => [
  checkNode(),
  await checkGit(machine.env),
  await checkClients(machine),
];

/** Looks at the data of this machine and all that works on it. Changes nothing. */
async function examineHere(config: Config, machine: Machine, port: number): Promise<readonly Finding[]> {
  const { database, data, host } = config;
  const runs = configIn(data);
  const isValid = !('check' in runs);
  const names = isValid ? named(runs) : [];
  const { findings, unmatched } =
    database.kind === 'sqlite' ? await examineSqlite(database.path, names) : await examinePostgres(config, names);
  const folder = database.kind === 'sqlite' ? dirname(database.path) : data;
  const place = { folder, database: databaseName(database), host };
  const running = await findRunningServer(folder, place.database);
  return [
    checkFolder(data),
    ...findings,
    await checkServer({ ...place, port: config.port ?? port, is_port_given: config.port !== null }),
    ...(isValid ? checkConfig({ data, unmatched, running }) : [runs]),
    ...(isValid ? await checkExecutors(runs, host, machine.env) : []),
  ];
}

interface DoctorOptions {
  readonly machine: Machine;
  /** The port of a server that is given none. */
  readonly port: number;
  readonly json: boolean;
}

/** `errand doctor`: of the data of this machine, or of the server that the commands work on. Resolves with the exit code. */
export async function runDoctor(
  place: Config | { readonly calls: Calls; readonly url: string },
  { machine, port, json }: DoctorOptions,
): Promise<number> {
  const there = 'calls' in place ? await checkRemote(place.calls, place.url, clock) : [];
  const here = 'calls' in place ? [] : await examineHere(place, machine, port);
  return tellFindings([...(await examineMachine(machine)), ...there, ...here], {
    json,
    width: process.stdout.isTTY === true ? process.stdout.columns || WIDTH : WIDTH,
    paint: createPaint(process.stdout.isTTY === true && process.stdout.hasColors()),
    print: (text) => void process.stdout.write(`${text}\n`),
  });
}
