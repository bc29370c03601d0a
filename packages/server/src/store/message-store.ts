import type { AgentMessage } from '#domain/agent-message';
import type { Attempt } from '#domain/attempt';

type OfAttempt = Pick<Attempt, 'id' | 'workspace_id'>;

/** The read methods about messages to the agents of attempts: see `Reads`. */
export interface MessageReads {
  readonly agentMessages: {
    /** Those that wait or that the agent has not answered yet, in their order. */
    readonly unread: (attempt: OfAttempt) => Promise<readonly AgentMessage[]>;
    /** Those that were made at one of these times, in their order, whatever became of them. */
    readonly madeAt: (attempt: OfAttempt, times: readonly number[]) => Promise<readonly AgentMessage[]>;
  };
}

/** The write methods about messages to the agents of attempts. */
export interface MessageWrites {
  readonly agentMessages: MessageReads['agentMessages'] & {
    /** Gives the message the next number of its attempt. */
    readonly insert: (message: Omit<AgentMessage, 'seq'>) => Promise<AgentMessage>;
    /** Writes status, run, and when it was delivered and read. */
    readonly update: (message: AgentMessage) => Promise<void>;
  };
}
