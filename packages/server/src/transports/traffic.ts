/** The limits of what callers may use at once. */
export interface Traffic {
  /** Open connections. */
  readonly max_connections: number;
  /** Requests at once of callers with a valid token. */
  readonly max_requests: number;
  /** Requests at once of callers without a valid token. */
  readonly max_tokenless_requests: number;
  /** Bytes of request bodies that are held at once. */
  readonly max_body_memory: number;
  /** Bytes of answers that are held because clients do not read them. */
  readonly max_unread_memory: number;
  /** Bytes of memory above which the process collects garbage early. */
  readonly memory_target: number;
  /** Bytes of all answers to one batch. */
  readonly max_batch_bytes: number;
  /** How long a request may wait for its turn. */
  readonly max_wait_ms: number;
  /** How long a client may leave an answer unread before its connection is cut. */
  readonly write_timeout_ms: number;
}

export const MIB = 1024 * 1024;

export const DEFAULT_TRAFFIC: Traffic = {
  max_connections: 10_000,
  max_requests: 1_000,
  max_tokenless_requests: 200,
  max_body_memory: 32 * MIB,
  max_unread_memory: 32 * MIB,
  memory_target: 300 * MIB,
  max_batch_bytes: 8 * MIB,
  max_wait_ms: 5_000,
  write_timeout_ms: 15_000,
};
