/** The kinds of things that can be named where their ids are taken. */
export type ReferenceKind = 'project' | 'user' | 'agent' | 'repo';

/** What a name or the start of an id can mean. */
export interface Referent {
  readonly id: string;
  readonly name: string;
}

/** The start of an id that is long enough to mean one. */
export const MIN_ID_PREFIX = 6;

/** Those that a text means: the id itself, else the very name, else the name in any case, else the start of the id. */
export function meantBy(text: string, referents: readonly Referent[]): readonly Referent[] {
  const wanted = text.toLowerCase();
  const rules: readonly ((referent: Referent) => boolean)[] = [
    ({ id }) => id === wanted,
    ({ name }) => name === text,
    ({ name }) => name.toLowerCase() === wanted,
    ({ id }) => wanted.length >= MIN_ID_PREFIX && id.startsWith(wanted),
  ];
  return rules.map((rule) => referents.filter(rule)).find((found) => found.length > 0) ?? [];
}
