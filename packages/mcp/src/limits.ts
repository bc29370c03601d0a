const MIB = 1024 * 1024;

/** Bytes of all answers to one batch; the requests after that are refused. */
export const MAX_BATCH_BYTES = 8 * MIB;
