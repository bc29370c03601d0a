/** The kinds of things that can be named where their ids are taken. */
export type ReferenceKind = 'project' | 'user' | 'agent' | 'repo';

/** A thing that a name or the start of an id can refer to. */
export interface Referent {
  readonly id: string;
  readonly name: string;
}

/** The start of an id, long enough to be unique. */
export const MIN_ID_PREFIX = 6;

/** Finds candidates for a text: by the whole id, else the exact name, else the name in any case, else the start of the id. */
export function meantBy<Row extends Referent>(text: string, referents: readonly Row[]): readonly Row[] {
  const wanted = text.toLowerCase();
  const rules: readonly ((referent: Referent) => boolean)[] = [
    ({ id }) => id === wanted,
    ({ name }) => name === text,
    ({ name }) => name.toLowerCase() === wanted,
    ({ id }) => wanted.length >= MIN_ID_PREFIX && id.startsWith(wanted),
  ];
  return rules.map((rule) => referents.filter(rule)).find((found) => found.length > 0) ?? [];
}
