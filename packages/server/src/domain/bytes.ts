const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DIGEST = /^[0-9a-f]{64}$/;

/** Whether a text is a UUID that reads the same after it was stored as bytes. */
export const isUuid = (text: unknown): text is string => typeof text === 'string' && UUID.test(text);

/** Whether a text is a SHA-256 that reads the same after it was stored as bytes. */
export const isDigest = (text: unknown): text is string => typeof text === 'string' && DIGEST.test(text);
