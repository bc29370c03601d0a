const MIB = 1024 * 1024;

/** The limit of bytes of all answers to one batch. Requests after it are refused. */
export const MAX_BATCH_BYTES = 8 * MIB;
