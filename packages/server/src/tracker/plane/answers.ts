import { z } from 'zod';
import { StateGroup } from '#domain/project';
import { Priority } from '#domain/work-item';

const Time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const DateOnly = z.iso.date().nullable();

/** An expanded person; a placeholder for nobody has no id. */
const Person = z
  .object({ id: z.string(), display_name: z.string().nullish(), first_name: z.string().nullish() })
  .transform(({ id, display_name, first_name }) => ({ id, name: display_name || first_name || id }));
export type Person = z.infer<typeof Person>;

const PersonOrNobody = z.union([Person, z.object({}).transform(() => null), z.null()]);

const State = z.object({ id: z.string(), name: z.string(), group: StateGroup });
const Label = z.object({ id: z.string(), name: z.string() });

/** States of groups that Errand does not know, such as triage, are left out: nothing can be moved there. */
export const States = z
  .array(z.object({ id: z.string(), name: z.string(), group: z.string() }))
  .transform((states) => states.flatMap((state) => State.safeParse(state).data ?? []));

export const Labels = z.array(
  Label.extend({ color: z.string().nullish() }).transform(({ color, ...label }) => ({
    ...label,
    color: color || null,
  })),
);
export const Members = z.array(Person);

export const Projects = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    is_member: z.boolean().nullish(),
    archived_at: z.string().nullish(),
  }),
);

/** Only a fork has `detail_layout`: its absence identifies the original. */
export const Item = z.object({
  id: z.string(),
  project: z.string(),
  name: z.string(),
  description_html: z.string().nullable(),
  detail_layout: z.unknown().optional(),
  state: State,
  priority: Priority,
  labels: z.array(Label),
  assignees: z.array(Person),
  parent: z.string().nullable(),
  start_date: DateOnly,
  target_date: DateOnly,
  sort_order: z.number(),
  created_by: PersonOrNobody,
  created_at: Time,
  updated_at: Time,
});
export type Item = z.infer<typeof Item>;

/** An item in an unknown state, as in triage, does not exist for agents. */
const StrangeState = z
  .object({ id: z.string(), state: z.unknown() })
  .refine(({ state }) => !State.safeParse(state).success)
  .transform(() => null);
export const ItemOrNone = z.union([Item, StrangeState]);

export const ITEM_QUERY = {
  fields: Object.keys(Item.shape).join(','),
  expand: 'state,labels,assignees,created_by',
} as const;

export const Row = z.object({
  id: z.string(),
  sequence_id: z.number().int(),
  name: z.string(),
  state: State,
  priority: Priority,
  target_date: DateOnly,
  updated_at: Time,
});
export type Row = z.infer<typeof Row>;

/** A row that cannot be parsed must not hide the others. It keeps its place, because rows are counted. */
export const Rows = z.array(z.unknown()).transform((rows) => rows.map((row) => Row.safeParse(row).data ?? null));
export const RowOrNone = Row.nullable().catch(null);

export const ROW_QUERY = { fields: Object.keys(Row.shape).join(','), expand: 'state' } as const;

const Hit = z.object({
  id: z.string(),
  name: z.string(),
  sequence_id: z.coerce.number().int(),
  project_id: z.string(),
  project__identifier: z.string(),
});
export type Hit = z.infer<typeof Hit>;

export const Hits = z.object({
  issues: z.array(z.unknown()).transform((hits) => hits.flatMap((hit) => Hit.safeParse(hit).data ?? [])),
});

export const Comment = z.object({
  id: z.string(),
  comment_html: z.string(),
  actor: PersonOrNobody,
  created_at: Time,
});

export const COMMENT_QUERY = { fields: Object.keys(Comment.shape).join(','), expand: 'actor' } as const;

/** The needed part of the answer to a change: the item is read again afterwards, with its references expanded. */
export const Changed = z.object({ id: z.string(), detail_layout: z.unknown().optional() });

export const pageOf = <T extends z.ZodType>(results: T) =>
  z.object({
    results,
    next_cursor: z.string(),
    next_page_results: z.boolean(),
    total_results: z.number().int(),
  });
