/**
 * What an MCP client of the 2025 generation sent when it connected: any server of the database can serve its next
 * request, and ask it what a task wants to know.
 */
export interface ClientSession {
  readonly id: string;
  /** The identity that opened it; the session does not exist for any other. */
  readonly owner: string;
  /** What the client declared, as JSON. */
  readonly facts: string;
  /** How many tasks were made in it; the server that has its stream looks for new ones when this grows. */
  readonly tasks_made: number;
  readonly created_at: number;
  readonly seen_at: number;
}

/** The server that asks the client a question at the moment: two servers must not ask the same question. */
export interface ClientQuestion {
  readonly session_id: string;
  readonly question_id: string;
  /** The id of the asking server, made when its process starts. */
  readonly holder: string;
  readonly held_until: number;
}

export interface ClientSessionLimits {
  /** Sessions of all callers together; a client that connects beyond them is served without one. */
  readonly max_sessions: number;
  /** How many sessions one caller may have; one more ends the session that was used longest ago. */
  readonly max_sessions_per_caller: number;
  readonly idle_ms: number;
}

export const DEFAULT_CLIENT_SESSION_LIMITS: ClientSessionLimits = {
  max_sessions: 10_000,
  max_sessions_per_caller: 100,
  idle_ms: 24 * 60 * 60 * 1000,
};
