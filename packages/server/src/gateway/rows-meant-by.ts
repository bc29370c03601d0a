import { meantBy } from '#domain/reference';

/** Finds the rows that a typed text refers to, by the same rule as the references in calls. */
export const rowsMeantBy = <Row extends { readonly name: string }>(
  typed: string,
  rows: readonly Row[],
  idOf: (row: Row) => string,
): readonly Row[] =>
  meantBy(
    typed,
    rows.map((row) => ({ id: idOf(row), name: row.name, row })),
  ).map(({ row }) => row);
