import type { z } from 'zod';
import type { Event } from '#domain/event';
import { ProjectId, RunId } from '#domain/ids';
import { refusal } from '#domain/refusal';

const MAX_KINDS = 20;
const MAX_SHOWN_CHARACTERS = 60;
const KIND = /^[a-z_]{1,40}\.(?:\*|[a-z_]{1,40})$/;
const NUMBER = /^\d{1,15}$/;
const FIELDS = ['execution_id', 'project_id', 'kinds', 'after'] as const;

/** Which events a follower wants, of those that it may get. */
export interface EventFilter {
  readonly execution_id: RunId | null;
  readonly project_id: ProjectId | null;
  /** Exact kinds, and beginnings such as `step.`; null for every kind. */
  readonly kinds: { readonly exact: ReadonlySet<string>; readonly beginnings: readonly string[] } | null;
  /** Equal for filters that want the same. */
  readonly key: string;
}

/** The request of a follower. */
export interface EventQuestion {
  readonly filter: EventFilter;
  /** The number of the last known event; null for events from now on. */
  readonly after: number | null;
}

function kindsOf(text: string): EventFilter['kinds'] {
  const kinds = text.split(',');
  if (kinds.length > MAX_KINDS) throw refusal('kinds', `takes at most ${MAX_KINDS} kinds, not ${kinds.length}`);
  const wrong = kinds.find((kind) => !KIND.test(kind));
  if (wrong !== undefined) {
    const shown = JSON.stringify(wrong.slice(0, MAX_SHOWN_CHARACTERS));
    throw refusal('kinds', `${shown} is no kind; they look like step.created, or step.* for all of them`);
  }
  return {
    exact: new Set(kinds.filter((kind) => !kind.endsWith('*'))),
    beginnings: kinds.filter((kind) => kind.endsWith('*')).map((kind) => kind.slice(0, -1)),
  };
}

function idOf<Id extends z.ZodType>(schema: Id, field: string, text: string): z.output<Id> {
  const { data } = schema.safeParse(text);
  if (data === undefined) throw refusal(field, 'must be one id');
  return data;
}

export function numberOf(field: string, text: string): number {
  if (!NUMBER.test(text)) throw refusal(field, 'must be the number of a change, as found in its id');
  return Number(text);
}

/** Reads the query parameters. An unknown one is refused: a misspelt filter would filter nothing. */
export function readQuestion(parameters: URLSearchParams): EventQuestion {
  const given = new Map(parameters);
  if (given.size < parameters.size || [...given.keys()].some((name) => !FIELDS.some((field) => field === name))) {
    throw refusal('query', `takes ${FIELDS.join(', ')}, each once`, 'Send the token in the Authorization header.');
  }
  const [execution_id, project_id, kinds, after] = FIELDS.map((field) => given.get(field));
  return {
    filter: {
      execution_id: execution_id === undefined ? null : idOf(RunId, 'execution_id', execution_id),
      project_id: project_id === undefined ? null : idOf(ProjectId, 'project_id', project_id),
      kinds: kinds === undefined ? null : kindsOf(kinds),
      key: JSON.stringify([execution_id, project_id, kinds]),
    },
    after: after === undefined ? null : numberOf('after', after),
  };
}

export function isWanted({ execution_id, project_id, kinds }: EventFilter, event: Event): boolean {
  if (execution_id !== null && event.execution_id !== execution_id) return false;
  if (project_id !== null && event.audience.project_id !== project_id) return false;
  if (kinds === null) return true;
  return kinds.exact.has(event.kind) || kinds.beginnings.some((beginning) => event.kind.startsWith(beginning));
}
