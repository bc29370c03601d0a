import type { Job, RunExecutor, RunSink } from '#runner/executor';
import { type CommandEnd, callCommand, type OutputReader } from './command.ts';
import { FRESH_SESSION, promptWithRecap } from './fresh-session.ts';

export interface Launch {
  /** Behind the program's own arguments. */
  readonly args: readonly string[];
  /** What the session will be called, where that is settled beforehand. */
  readonly agent_session_id: string | null;
}

/** A plain program that keeps sessions, and tells what it does as lines of JSON. */
export interface Conversation {
  /** How it is started, afresh or for the session to resume. */
  readonly launch: (job: Job, resume: string | null) => Launch;
  readonly read: (sink: RunSink, isResumed: boolean) => OutputReader;
  /** What it complains of when it does not have the session. */
  readonly lost_session: RegExp;
}

/** A session is an argument, and its name comes from the agent: one that could be taken for an option is none of these. */
const SESSION = /^[A-Za-z0-9][\w.:-]{0,199}$/;

/** Runs such a program, in the session of the job if it still has it. */
export const createConversation =
  ({ launch, read, lost_session }: Conversation): RunExecutor =>
  async (job, sink) => {
    const begin = (resume: string | null): Promise<CommandEnd> => {
      const { args, agent_session_id } = launch(job, resume);
      if (agent_session_id !== null) sink.session(agent_session_id);
      const hasForgotten = resume === null && job.recap !== '';
      return callCommand(job, sink, {
        args,
        input: hasForgotten ? promptWithRecap(job) : job.prompt,
        reader: read(sink, resume !== null),
      });
    };

    const { agent_session_id } = job;
    const isNamed = agent_session_id !== null && SESSION.test(agent_session_id);
    if (agent_session_id !== null && !isNamed) sink.feed('status', FRESH_SESSION);
    const resumed = isNamed ? await begin(agent_session_id) : null;
    const isLost = resumed?.status === 'failed' && !job.signal.aborted && lost_session.test(resumed.complaints);
    if (isLost) sink.feed('status', FRESH_SESSION);
    const { status, reason, summary } = resumed === null || isLost ? await begin(null) : resumed;
    return { status, reason, summary };
  };
