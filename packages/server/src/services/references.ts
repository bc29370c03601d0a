import type { Caller } from '#domain/caller';
import { meantBy, type ReferenceKind, type Referent } from '#domain/reference';
import { refusal } from '#domain/refusal';
import type { Reads } from '#store/store';

type Input = Readonly<Record<string, unknown>>;

/** The fields of admin tools that take a name or the start of an id. */
const FIELDS: Readonly<Record<string, ReferenceKind>> = {
  project_id: 'project',
  project_ids: 'project',
  user_id: 'user',
  owner_id: 'user',
  agent_id: 'agent',
  repo_id: 'repo',
};
const PLURALS: Readonly<Record<ReferenceKind, string>> = {
  project: 'projects',
  user: 'users',
  agent: 'agents',
  repo: 'repositories',
};
const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** A longer list of candidates does not help to choose. */
const MAX_SHOWN = 10;

const listed = (referents: readonly Referent[]): string =>
  referents.map(({ id, name }) => `${name} (${id})`).join(', ');

interface Asked {
  readonly field: string;
  readonly kind: ReferenceKind;
  readonly text: string;
}

/** Lets people name projects, users, agents and repositories where a tool takes their ids. */
export function createReferences() {
  /** Returns the id that a text refers to. A text without a match stays: the tool reports that there is none. */
  async function idOf(reads: Pick<Reads, 'references'>, caller: Caller, { field, kind, text }: Asked): Promise<string> {
    if (ID.test(text)) return text;
    const wanted = { kind, text, limit: MAX_SHOWN + 1 };
    const found = meantBy(text, await reads.references.find(caller.workspace_id, caller.user_id, wanted));
    const [first, ...others] = found;
    if (others.length === 0) return first?.id ?? text;
    const count = found.length > MAX_SHOWN ? `more than ${MAX_SHOWN}` : found.length;
    throw refusal(
      field,
      `${JSON.stringify(text)} can mean ${count} ${PLURALS[kind]}`,
      `Give the id of one: ${listed(found.slice(0, MAX_SHOWN))}.`,
    );
  }

  return {
    /** Returns the input with ids in place of names. */
    resolve: async (reads: Pick<Reads, 'references'>, caller: Caller, input: Input): Promise<Input> => {
      const resolved: Record<string, unknown> = { ...input };
      for (const [field, kind] of Object.entries(FIELDS)) {
        // The id of an app's user comes from the app.
        if (kind === 'user' && typeof input.app === 'string') continue;
        const given = input[field];
        if (typeof given === 'string') resolved[field] = await idOf(reads, caller, { field, kind, text: given });
        if (!Array.isArray(given)) continue;
        const ids: unknown[] = [];
        // Safe: the schema has checked that these are texts.
        for (const text of given as readonly string[]) ids.push(await idOf(reads, caller, { field, kind, text }));
        resolved[field] = ids;
      }
      return resolved;
    },
  };
}
