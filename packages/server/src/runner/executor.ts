import type { Readable, Writable } from 'node:stream';
import type { ApprovalOption } from '#domain/approval';
import type { FeedKind, PlanItem, StepSource, StepStatus } from '#domain/run';
import type { Usage } from '#domain/usage';

/** A program that runs for an attempt. */
export interface AgentProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the program has ended and its output is read. Never rejects. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Ends the program and every process that it has started; resolves when none is left. */
  readonly stop: () => Promise<void>;
  /** Like `stop`, without the time that `stop` leaves the program to end by itself. */
  readonly kill: () => Promise<void>;
  /** Why the worker killed the program, for example for too many processes; null when it did not. */
  readonly killed_for: () => string | null;
}

export interface Question {
  readonly kind: 'permission' | 'question';
  readonly question: string;
  readonly details: string | null;
  /** Empty for a question that takes any text. */
  readonly options: readonly ApprovalOption[];
}

/** Null when the run is being stopped: no answer will come. */
export type Answer = { readonly option: string | null; readonly answer: string | null } | null;

export interface ReportedStep {
  readonly name: string;
  readonly status: StepStatus;
  readonly message: string | null;
  readonly source: StepSource;
}

/** Takes the reports of a run. Each is written soon, in order; no method fails. */
export interface RunSink {
  readonly feed: (kind: FeedKind, text: string) => void;
  /** The id that the agent gives its session, by which it can be resumed. */
  readonly session: (agent_session_id: string) => void;
  /** Creates the step with this key, or changes it. Keys are the executor's own. */
  readonly step: (key: string, step: ReportedStep) => void;
  readonly usage: (usage: Usage) => void;
  /** What the agent plans, as a whole: each report replaces the one before. */
  readonly plan: (entries: readonly PlanItem[]) => void;
  /** Name and version of the program. */
  readonly client: (client: string) => void;
  /** Asks the people who watch the run, and waits for the answer. */
  readonly ask: (question: Question) => Promise<Answer>;
}

export interface Job {
  readonly prompt: string;
  readonly ids: () => string;
  /** What was asked and answered in the session so far, for an agent that cannot resume it. */
  readonly recap: string;
  /** The agent's id of the session to resume; null for a fresh one. */
  readonly agent_session_id: string | null;
  /** The working directory. */
  readonly folder: string;
  /** Errand's own MCP server, and the token for it. */
  readonly mcp: { readonly url: string; readonly token: string };
  /** The variables of the run, for programs that the agent starts without its own environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** Starts the executor's program with `more` after its own arguments. At most twice: the second time after the first has ended. */
  readonly start: (more?: readonly string[]) => Promise<AgentProcess>;
  /**
   * The agent has ended its turn as it should, so it has read its words. Takes what waits, as one prompt; null for nothing. For an
   * executor that can prompt again in the same session.
   */
  readonly nextMessages: () => Promise<string | null>;
  /**
   * Registers how the turn of the agent is cut for messages that cannot wait: it resolves to false when the agent takes no more. An
   * executor that cannot do it registers nothing.
   */
  readonly onInterrupt: (interrupt: (words: string) => Promise<boolean>) => void;
  /** Aborted when the run must stop. The runner ends the process soon afterwards. */
  readonly signal: AbortSignal;
}

export interface RunEnd {
  readonly status: 'completed' | 'failed';
  readonly reason: string | null;
  /** The last message of the agent. */
  readonly summary: string | null;
}

/** Runs an agent to its end. Rejects only for bugs of its own. */
export type RunExecutor = (job: Job, sink: RunSink) => Promise<RunEnd>;
