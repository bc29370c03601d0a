import type { ClientQuestion, ClientSession } from '#domain/client-session';

/** What can be read of the sessions of MCP clients. */
export interface ClientSessionReads {
  readonly clientSessions: {
    /** Null when it is unknown, another owner's, or was not used for `idle_ms` by the store's clock. */
    readonly find: (owner: string, id: string, idle_ms: number) => Promise<ClientSession | null>;
    /** What a server asks about the sessions whose streams it holds: it has checked whose they are. */
    readonly ofServer: {
      /** `tasks_made` of those that exist. */
      readonly tasksMade: (ids: readonly string[]) => Promise<readonly Pick<ClientSession, 'id' | 'tasks_made'>[]>;
    };
  };
}

/** The write methods about attempts and workers. */
export interface ClientSessionWrites {
  readonly clientSessions: ClientSessionReads['clientSessions'] & {
    readonly count: () => Promise<number>;
    readonly insert: (session: ClientSession) => Promise<void>;
    /** Ends sessions of the owner, those used longest ago first, until `most` are left. */
    readonly keepNewest: (owner: string, most: number) => Promise<void>;
    readonly remove: (owner: string, id: string) => Promise<void>;
    /** Deletes at most `limit` sessions not used since `before`; how many it deleted. */
    readonly sweep: (before: number, limit: number) => Promise<number>;
    /** Deletes questions that no server holds since `before`. */
    readonly sweepQuestions: (before: number) => Promise<void>;
    /** What a server writes about the sessions whose streams it holds: it has checked whose they are. */
    readonly ofServer: {
      readonly touch: (id: string) => Promise<void>;
      readonly addTask: (id: string) => Promise<void>;
      /** False while another server holds the question, and when its session has ended. */
      readonly claimQuestion: (question: ClientQuestion) => Promise<boolean>;
      readonly renewQuestions: (holder: string, held_until: number) => Promise<void>;
      readonly releaseQuestion: (question: Omit<ClientQuestion, 'held_until'>) => Promise<void>;
    };
  };
}
