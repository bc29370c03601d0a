import { meantBy } from '#domain/reference';

/** Finds the rows that a typed text refers to, by the same rule as the references in calls. */
export function rowsMeantBy<Row extends { readonly name: string; readonly key: string | null }>(
  typed: string,
  rows: readonly Row[],
  idOf: (row: Row) => string,
): readonly Row[] {
  const keyed = rows.filter(({ key }) => key !== null && key === typed.toUpperCase());
  if (keyed.length > 0) return keyed;
  return meantBy(
    typed,
    rows.map((row) => ({ id: idOf(row), name: row.name, row })),
  ).map(({ row }) => row);
}
