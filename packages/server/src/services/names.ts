import type { Caller } from '#domain/caller';
import {
  type FoundNames,
  isIdPrefix,
  isWholeId,
  keyParts,
  MAX_CANDIDATES,
  NAMED,
  type NamedKind,
  type NameForm,
  type NameSight,
  type Near,
  type Referent,
} from '#domain/reference';
import { ErrandError } from '#errors';
import type { Reads } from '#store/store';
import type { ReadWork } from './work.ts';

/** A text in a field that names one thing. */
export interface AskedName {
  readonly field: string;
  readonly kind: NamedKind;
  readonly text: string;
  readonly near: Near;
}

const listed = (referents: readonly Referent[]): string =>
  referents.map(({ id, name, key }) => (name === '' ? (key ?? id) : `${key ?? id} (${name})`)).join(', ');

function ambiguous({ field, kind, text }: AskedName, { rows, is_cut }: FoundNames): ErrandError {
  const candidates = rows.slice(0, MAX_CANDIDATES);
  const count = is_cut || rows.length > MAX_CANDIDATES ? `more than ${candidates.length}` : rows.length;
  return new ErrandError('ambiguous', `${JSON.stringify(text)} can mean ${count} ${NAMED[kind]}.`, {
    hint: `${is_cut ? 'Type more of it, or give' : 'Give'} one of: ${listed(candidates)}.`,
    details: { field, candidates },
  });
}

/** The forms that a text can have, the first that finds something is meant. */
function formsOf(text: string): readonly NameForm[] {
  const key = keyParts(text);
  return [
    ...(key === null ? [] : [{ key }]),
    { name: text },
    ...(isIdPrefix(text) ? [{ prefix: text.toLowerCase() }] : []),
  ];
}

/** The things with exactly this name, or else all that have the name in any case. */
function exactly(text: string, found: FoundNames): FoundNames {
  const exact = found.rows.filter(({ name }) => name === text);
  return exact.length > 0 ? { ...found, rows: exact } : found;
}

/** All names of the workspace, as administration finds them. */
const everyName = ({ workspace_id, user_id }: Caller): NameSight => ({
  workspace_id,
  user_id,
  attempt_id: null,
  subject: user_id,
  is_admin: true,
  project_ids: 'all',
  sees: () => false,
});

/** The things that have this name already, for a warning; at most `most`. */
export async function namesakesOf(
  { tx, caller }: ReadWork,
  kind: 'project' | 'agent',
  { name, most }: { readonly name: string; readonly most: number },
): Promise<readonly Referent[]> {
  const found = await tx.names.find(everyName(caller), { kind, form: { name }, near: {} });
  return exactly(name, found).rows.slice(0, most);
}

/**
 * The id that a text means: a whole id, a key, a unique name, or the unique start of an id. A text without a match stays,
 * so that the tool answers as it does for an unknown id.
 */
export async function idOf(reads: Pick<Reads, 'names'>, sight: NameSight, asked: AskedName): Promise<string> {
  const { kind, text, near } = asked;
  if (isWholeId(text)) return text;
  for (const form of formsOf(text)) {
    const any = await reads.names.find(sight, { kind, form, near });
    const found = 'name' in form ? exactly(text, any) : any;
    const [first, ...others] = found.rows;
    if (first === undefined) continue;
    if (others.length > 0 || found.is_cut) throw ambiguous(asked, found);
    return first.id;
  }
  return text;
}
