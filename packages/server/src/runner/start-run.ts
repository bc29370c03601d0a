import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptRepo } from '#domain/attempt';
import { CHECKS_EXECUTOR, type CheckedRun } from '#domain/check';
import { type EarlyEnd, endingOf, type RunEnding } from '#domain/run-machine';
import { isDatabaseError } from '#errors';
import { RunLost } from '#services/runs/held-run';
import type { ClaimedRun } from '#services/runs/queue';
import { type PreparedRepo, workingFolder } from './attempt-repos.ts';
import { checksFor } from './checks-config.ts';
import type { RunEnd } from './executor.ts';
import { cleanText } from './executors/clean-text.ts';
import { hideToken } from './hide-token.ts';
import { createInterrupts } from './interrupts.ts';
import { runEnvironment } from './process/run-environment.ts';
import { runChecks } from './run-checks.ts';
import { RunFailure } from './run-failure.ts';
import { createRunHold, RETRY_MS, type RunHold } from './run-hold.ts';
import type { RunNeeds } from './run-needs.ts';
import { createRunPrograms, type RunPrograms } from './run-programs.ts';
import { createRunRepos, type RunRepos } from './run-repos.ts';
import { runSetup } from './run-setup.ts';
import { createRunSink, type OpenSink } from './run-sink.ts';
import { runVariables } from './run-variables.ts';

export interface ActiveRun {
  readonly claimed: ClaimedRun;
  /** Ends the run early. */
  readonly endEarly: (why: EarlyEnd) => void;
  readonly lookForAnswers: () => Promise<void>;
  /** Cuts the agent's turn for messages that cannot wait. */
  readonly lookForMessages: () => Promise<void>;
  /** Resolves when nothing of the run is left in this process; never rejects. */
  readonly done: Promise<void>;
}

/** One run that this worker holds, with its parts. */
interface HeldRun extends RunNeeds {
  readonly claimed: ClaimedRun;
  readonly hold: RunHold;
  readonly sink: OpenSink;
  readonly programs: RunPrograms;
  readonly repos: RunRepos;
  readonly interrupts: ReturnType<typeof createInterrupts>;
}

/** Does a claimed run: prepares folders, runs the agent, commits its changes and writes the end. The states are in domain/run-machine.ts. */
export function startRun(claimed: ClaimedRun, needs: RunNeeds): ActiveRun {
  const { queue, log, ids, report } = needs;
  const hold = createRunHold({ queue, hold: claimed, report });
  const { secret } = claimed;
  const sink = createRunSink({ hold: claimed, secret, log, ids, lost: () => hold.endEarly('lost'), report });
  const programs = createRunPrograms({ ...needs, claimed, hold });
  const repos = createRunRepos({ ...needs, claimed, hold, sink });
  const interrupts = createInterrupts({ messages: needs.messages, hold: claimed, attempt: claimed.attempt });
  const held: HeldRun = { ...needs, claimed, hold, sink, programs, repos, interrupts };
  const { lookForAnswers } = sink;
  const lookForMessages = (): Promise<void> => interrupts.lookForMessages().catch(unlessLost(report));
  return { claimed, endEarly: hold.endEarly, lookForAnswers, lookForMessages, done: doRun(held).catch(report) };
}

/** Ignores that the run has ended: a run that ends while its messages are read needs no messages. */
const unlessLost =
  (report: (error: unknown) => void) =>
  (error: unknown): void => {
    if (!(error instanceof RunLost)) report(error);
  };

async function doRun(held: HeldRun): Promise<void> {
  const { hold, sink, repos } = held;
  const ending = await workUntilEnded(held).catch((error: unknown) => failureOf(error, held));
  if (!(await hold.isHeld())) return void (await sink.close());

  const { repos: committed, failures } = await repos.commit();
  const isDone = ending.status === 'completed' && failures.length === 0 && hold.earlyEnd() === null;
  const checked = isDone ? await check(held) : undefined;
  const outside = await repos.findOutside();
  await sink.close();
  const written = endingOf(ending, { early_end: hold.earlyEnd(), is_committed: failures.length === 0 });
  await writeEnd(held, { ...written, ...verifiedWords(held, checked), outside }, { repos: committed, checked });
}

/** Runs the checks of the project and its repositories. Undefined when there are none. */
async function check(held: HeldRun): Promise<CheckedRun | undefined> {
  const { claimed, repos, checks, hold, report } = held;
  const prepared = repos.prepared();
  const named = prepared.map(({ repo, name }) => ({ id: repo.repo_id, name }));
  const wanted = checksFor(checks, claimed.project, named);
  if (wanted.length === 0) return undefined;
  return runChecks({ ...held, env: runEnvironment(held.env, []) }, prepared, wanted).catch((error: unknown) => {
    if (error instanceof RunLost) hold.endEarly('lost');
    else report(error);
    return { checks: [], verdict: null };
  });
}

const isCheckRun = ({ claimed }: HeldRun): boolean => claimed.entry.executor === CHECKS_EXECUTOR;

/** The summary of a run that only ran checks. */
function verifiedWords(held: HeldRun, checked: CheckedRun | undefined): Pick<RunEnding, 'summary'> {
  if (!isCheckRun(held)) return {};
  if (checked === undefined) return { summary: 'No checks are configured for this project.' };
  if (checked.checks.length === 0) return { summary: 'The checks could not be run: see the log of the server.' };
  const passed = checked.checks.filter(({ status }) => status === 'passed').length;
  return { summary: `${passed} of ${checked.checks.length} checks passed.` };
}

/** From the folders to the end of the agent. */
async function workUntilEnded(held: HeldRun): Promise<RunEnding> {
  const { claimed, processes, machine, repos, programs } = held;
  // An earlier run of this attempt may have left processes in these folders. Only the machine that it ran on can end them.
  if (claimed.left?.host_id === machine.host_id) await processes.sweep(claimed.left);
  const prepared = await repos.prepare();
  const stopWatching = repos.watch();
  try {
    return withoutToken(await programs.untilEnded(runAgent(held, prepared)), claimed.secret);
  } finally {
    await stopWatching();
  }
}

async function runAgent(held: HeldRun, prepared: readonly PreparedRepo[]): Promise<RunEnd> {
  const { claimed, executors, programs, sink, hold, url } = held;
  const { entry, session, recap, secret } = claimed;
  if (isCheckRun(held)) {
    await setUp(held, prepared, runEnvironment(held.env, []));
    return { status: 'completed', reason: null, summary: null };
  }
  const executor = executors.resolve(entry.executor, entry.variant);
  if (executor === null) throw new RunFailure(`This machine has no executor ${entry.executor} any more.`);
  const folder = workingFolder(prepared);
  const variables = runVariables({ url, secret, execution_id: claimed.execution_id, session });
  const env = { ...runEnvironment(held.env, executor.passes), ...executor.env, ...variables };
  await setUp(held, prepared, env);
  held.interrupts.begin();
  const end = executor.run(
    {
      prompt: entry.prompt,
      recap,
      ids: held.ids,
      agent_session_id: session.agent_session_id,
      folder,
      mcp: { url: `${url}/mcp`, token: secret },
      variables,
      start: (more = []) => programs.start([...executor.argv, ...more], folder, env),
      nextMessages: () => held.messages.afterTurn(claimed),
      onInterrupt: held.interrupts.onInterrupt,
      signal: hold.signal,
    },
    sink,
  );
  return end.finally(held.interrupts.end);
}

/** Runs the set-up scripts that have not completed in these folders yet. */
async function setUp(
  { repos, programs, sink, hold }: HeldRun,
  prepared: readonly PreparedRepo[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  for (const one of prepared.filter(({ setup_script, repo }) => setup_script !== null && !repo.is_set_up)) {
    await runSetup(one, { spawn: programs.start, env, sink, signal: hold.signal });
    await repos.note([{ ...one.repo, is_set_up: true }]);
  }
}

/** The ending when the database refuses the one that was to be written. */
const UNWRITABLE: RunEnding = { status: 'failed', reason: 'How the run ended could not be written: see the log.' };

/** The commits and checks that the run leaves. */
interface RunWork {
  readonly repos: readonly AttemptRepo[];
  readonly checked: CheckedRun | undefined;
}

/** Writes the end of the run, and tries again while the database is away: the run has ended already. */
async function writeEnd(held: HeldRun, ending: RunEnding, { repos, checked }: RunWork): Promise<void> {
  const { claimed, queue, hold, report } = held;
  while (hold.earlyEnd() !== 'lost') {
    try {
      return await queue.finish(claimed, ending, repos, checked);
    } catch (error) {
      if (error instanceof RunLost) return;
      report(error);
      if (!isDatabaseError(error)) return await queue.finish(claimed, UNWRITABLE, []);
      await sleep(RETRY_MS);
    }
  }
}

/** The agent's last words and the reason of its end, as they may be shown. */
function withoutToken({ status, reason, summary }: RunEnd, secret: string): RunEnding {
  const hidden = (text: string | null): string | null => (text === null ? null : hideToken(cleanText(text), secret));
  return { status, reason: hidden(reason), summary: hidden(summary) };
}

function failureOf(error: unknown, { hold, report }: HeldRun): RunEnding {
  if (error instanceof RunFailure) {
    if (error.detail !== null) report(error);
    return { status: 'failed', reason: error.message };
  }
  if (error instanceof RunLost) hold.endEarly('lost');
  else report(error);
  return { status: 'failed', reason: 'The run could not be done: see the log of the server.' };
}
