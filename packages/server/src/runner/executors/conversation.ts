import type { Job, RunExecutor, RunSink } from '#runner/executor';
import { type CommandEnd, callCommand, type OutputReader } from './command.ts';
import { FRESH_SESSION, promptWithRecap } from './fresh-session.ts';

export interface Launch {
  /** Placed after the program's own arguments. */
  readonly args: readonly string[];
  /** The id of the session, if the launcher chooses it. */
  readonly agent_session_id: string | null;
}

/** A plain program that keeps sessions, and reports its activity as lines of JSON. */
export interface Conversation {
  /** How to start it, afresh or with the session to resume. */
  readonly launch: (job: Job, resume: string | null) => Launch;
  readonly read: (sink: RunSink, isResumed: boolean) => OutputReader;
  /** Matches its error when it does not have the session. */
  readonly lost_session: RegExp;
}

/** A session id is an argument that comes from the agent: one that looks like an option is refused. */
const SESSION = /^[A-Za-z0-9][\w.:-]{0,199}$/;

/** Runs such a program, in the job's session if it still exists. */
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
