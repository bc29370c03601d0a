import { ErrandError } from '#errors';

/** Whether the database cannot be reached for now: anything else would be refused again. */
export const isAway = (error: unknown): boolean => error instanceof ErrandError && error.code === 'database_error';
