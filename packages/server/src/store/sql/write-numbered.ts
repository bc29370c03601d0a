import type { WriteSession } from './session.ts';
import type { Statement } from './statement.ts';

export const counterMissing = (): Error =>
  new Error('The row that numbers are counted in is missing: the database was tampered with.');

/** Writes with a statement that assigns a number, and returns the number. */
export async function writeNumbered<Params extends object>(
  session: WriteSession,
  statement: Statement<Params, { readonly seq: number }>,
  params: Params,
): Promise<number> {
  const row = await session.returning(statement, params);
  if (row === null) throw counterMissing();
  return row.seq;
}
