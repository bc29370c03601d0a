import { ErrandError } from '#errors';

/** An argument that cannot be taken, by the name of its field. */
export const refusal = (
  field: string,
  problem: string,
  hint?: string,
  details: Readonly<Record<string, unknown>> = {},
): ErrandError =>
  new ErrandError('validation_error', `${field}: ${problem}.`, {
    details: { fields: [{ field, problem }], ...details },
    ...(hint !== undefined && { hint }),
  });
