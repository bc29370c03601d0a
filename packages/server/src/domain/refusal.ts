import { type Hint, say, textOf, type Words } from '#advice';
import { ErrandError } from '#errors';

/** An argument that cannot be taken, by the name of its field. */
export const refusal = (
  field: string,
  problem: Words,
  hint?: Hint,
  details: Readonly<Record<string, unknown>> = {},
): ErrandError =>
  new ErrandError('validation_error', say`${{ about: field }} ${problem}.`, {
    details: { fields: [{ field, problem: textOf(problem) }], ...details },
    ...(hint !== undefined && { hint }),
  });
