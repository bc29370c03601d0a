import { isDatabaseError } from '#errors';

/** Whether the database cannot be used for now: anything else would be refused again. */
export const isAway = isDatabaseError;
