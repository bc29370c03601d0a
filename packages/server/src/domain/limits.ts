export const DAY_MS = 24 * 60 * 60 * 1000;

/** How many rows are kept, and for how long. Each limit is a setting. */
export interface Limits {
  /** How many users one app may have. */
  readonly max_app_users: number;
  /** How many messages are kept per user; the oldest are removed first. */
  readonly max_messages_per_user: number;
  /** How long a conversation is kept after its last message. */
  readonly messages_kept_ms: number;
}

export const DEFAULT_LIMITS: Limits = {
  max_app_users: 100_000,
  max_messages_per_user: 10_000,
  messages_kept_ms: 90 * DAY_MS,
};
