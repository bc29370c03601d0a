import { ErrandError } from '#errors';

/** An argument that cannot be taken, by the name of its field. */
export const refusal = (field: string, problem: string, hint?: string): ErrandError =>
  new ErrandError('validation_error', `${field}: ${problem}.`, {
    details: { fields: [{ field, problem }] },
    ...(hint !== undefined && { hint }),
  });
