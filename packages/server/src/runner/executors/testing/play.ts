import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath, kill } from 'node:process';
import type { FeedKind, PlanItem } from '#domain/run';
import type { Usage } from '#domain/usage';
import type { AgentProcess, Answer, Job, Question, ReportedStep, RunEnd, RunExecutor, RunSink } from '#runner/executor';
import { createUuidV7 } from '#store/uuid-v7';

const AGENTS = join(import.meta.dirname, '../../../../../../test/e2e/board-agents');

/** The command that starts a scripted agent. */
export const scripted = (kind: 'command' | 'acp'): readonly string[] => [execPath, join(AGENTS, `${kind}-agent.mjs`)];

/** A one-line program, for faults that no real agent has. */
export const program = (source: string): readonly string[] => [execPath, '--eval', source];

export interface Recorded {
  readonly feed: { readonly kind: FeedKind; readonly text: string }[];
  /** Every report, in order. */
  readonly reports: (ReportedStep & { readonly key: string })[];
  readonly sessions: string[];
  readonly usages: Usage[];
  readonly plans: (readonly PlanItem[])[];
  readonly clients: string[];
  readonly questions: Question[];
  /** The arguments of each start. */
  readonly starts: (readonly string[])[];
}

export interface Played extends Recorded {
  readonly end: RunEnd;
  /** The steps in their last state. */
  readonly steps: readonly ReportedStep[];
  /** Processes that the executor has left running. */
  readonly left: readonly number[];
}

export interface Play extends Partial<Omit<Job, 'start'>> {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly answer?: (question: Question) => Promise<Answer>;
  /** Called for each entry of the feed. */
  readonly heard?: (text: string) => void;
}

function start(argv: readonly string[], folder: string, extra: Readonly<Record<string, string>>): AgentProcess {
  const [command = '', ...args] = argv;
  const own = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, STATE_DIR: folder, ...extra };
  const child = spawn(command, args, { cwd: folder, env: own, stdio: 'pipe', detached: true });
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const pid = child.pid ?? 0;
  const stop = async (): Promise<void> => {
    try {
      kill(-pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
    await exited;
  };
  const { stdin, stdout, stderr } = child;
  return { pid, stdin, stdout, stderr, exited, stop, kill: stop, killed_for: () => null };
}

function isAlive(pid: number): boolean {
  try {
    return kill(pid, 0);
  } catch {
    return false;
  }
}

/** Runs an executor with a real process in a temporary folder; neither is left afterwards. */
export async function play(run: RunExecutor, { argv, env: extra = {}, answer, heard, ...job }: Play): Promise<Played> {
  const folder = job.folder ?? (await mkdtemp(join(tmpdir(), 'errand-executor-')));
  const recorded: Recorded = {
    feed: [],
    reports: [],
    sessions: [],
    usages: [],
    plans: [],
    clients: [],
    questions: [],
    starts: [],
  };
  const processes: AgentProcess[] = [];
  const sink: RunSink = {
    feed: (kind, text) => {
      recorded.feed.push({ kind, text });
      heard?.(text);
    },
    session: (id) => void recorded.sessions.push(id),
    step: (key, step) => void recorded.reports.push({ key, ...step }),
    usage: (usage) => void recorded.usages.push(usage),
    plan: (entries) => void recorded.plans.push(entries),
    client: (client) => void recorded.clients.push(client),
    ask: (question) => {
      recorded.questions.push(question);
      return answer?.(question) ?? Promise.resolve(null);
    },
  };
  try {
    const end = await run(
      {
        prompt: '',
        recap: '',
        ids: createUuidV7(Date.now),
        agent_session_id: null,
        mcp: { url: 'http://127.0.0.1:9/mcp', token: 'secret' },
        variables: {},
        nextMessages: async () => null,
        onInterrupt: () => undefined,
        signal: new AbortController().signal,
        ...job,
        folder,
        start: async (more = []) => {
          recorded.starts.push(more);
          const process = start([...argv, ...more], folder, extra);
          processes.push(process);
          return process;
        },
      },
      sink,
    );
    const steps = new Map(recorded.reports.map(({ key, ...step }) => [key, step]));
    const left = processes.map(({ pid }) => pid).filter(isAlive);
    return { ...recorded, end, steps: [...steps.values()], left };
  } finally {
    await Promise.all(processes.map(({ stop }) => stop()));
    if (job.folder === undefined) await rm(folder, { recursive: true, force: true });
  }
}

export const textsOf = ({ feed }: Pick<Recorded, 'feed'>, kind: FeedKind): readonly string[] =>
  feed.filter((entry) => entry.kind === kind).map(({ text }) => text);
