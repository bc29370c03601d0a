import { type Answer, invalid } from './answer.ts';
import { cleaned } from './html.ts';
import type { PlaneItem, PlaneWorld } from './world.ts';

const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;
const DATE = /^\d{4}-\d{1,2}-\d{1,2}$/;
const PRIORITIES = ['urgent', 'high', 'medium', 'low', 'none'];

type Fields = Partial<Omit<PlaneItem, 'id' | 'project' | 'sequence_id'>>;
type Check = (value: unknown) => { readonly value: unknown } | { readonly errors: unknown };

const MAY_NOT_BE_NULL = { errors: ['This field may not be null.'] };

const text =
  (max: number | null, isBlankAllowed: boolean): Check =>
  (value) => {
    if (value === null) return MAY_NOT_BE_NULL;
    if (typeof value !== 'string' && typeof value !== 'number') return { errors: ['Not a valid string.'] };
    const trimmed = String(value).trim();
    if (trimmed === '' && !isBlankAllowed) return { errors: ['This field may not be blank.'] };
    if (trimmed.includes('\u0000')) return { errors: ['Null characters are not allowed.'] };
    if (max !== null && [...trimmed].length > max)
      return { errors: [`Ensure this field has no more than ${max} characters.`] };
    return { value: trimmed };
  };

const nullable =
  (check: Check): Check =>
  (value) =>
    value === null ? { value } : check(value);

const reference =
  (exists: (id: string) => boolean): Check =>
  (value) => {
    if (typeof value === 'boolean' || typeof value === 'object')
      return { errors: [`Incorrect type. Expected pk value, received ${Array.isArray(value) ? 'list' : 'dict'}.`] };
    const id = String(value);
    if (!UUID.test(id)) return { errors: [`“${id}” is not a valid UUID.`] };
    return exists(id) ? { value: id } : { errors: [`Invalid pk "${id}" - object does not exist.`] };
  };

const list =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return { errors: [`Expected a list of items but got type "${typeof value}".`] };
    const checked = value.map(check);
    const malformed = checked.find((each) => 'errors' in each && String(each.errors).includes('valid UUID'));
    if (malformed !== undefined) return malformed;
    const errors = checked.flatMap((each, index) => ('errors' in each ? [[index, each.errors]] : []));
    if (errors.length > 0) return { errors: Object.fromEntries(errors) };
    return { value: checked.flatMap((each) => ('value' in each ? [each.value] : [])) };
  };

const date: Check = (value) =>
  typeof value === 'string' && DATE.test(value) && !Number.isNaN(Date.parse(value))
    ? { value }
    : { errors: ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'] };

const choice: Check = (value) =>
  PRIORITIES.includes(String(value)) ? { value } : { errors: [`"${String(value)}" is not a valid choice.`] };

const number: Check = (value) => {
  if (value === null) return MAY_NOT_BE_NULL;
  const isNumber = value !== '' && typeof value !== 'boolean' && !Number.isNaN(Number(value));
  return isNumber ? { value: Number(value) } : { errors: ['A valid number is required.'] };
};

const checksOf = (world: PlaneWorld): Readonly<Record<string, Check>> => ({
  name: text(255, false),
  description_html: text(null, true),
  priority: choice,
  start_date: nullable(date),
  target_date: nullable(date),
  parent: nullable(reference((id) => world.items.some((item) => item.id === id))),
  state: nullable(reference((id) => world.states.some((state) => state.id === id))),
  sort_order: number,
  assignees: list(reference((id) => world.users.some((user) => user.id === id))),
  labels: list(reference((id) => world.labels.some((label) => label.id === id))),
  external_source: nullable(text(255, true)),
  external_id: nullable(text(255, true)),
  ...(world.keeps_layout ? { detail_layout: (value: unknown) => ({ value }) } : {}),
});

const whole = (words: string): Answer => invalid({ non_field_errors: [words] });

/** Reads a body like Plane's serializer: returns the fields as stored, or the answer that refuses them. */
export function itemFields(
  world: PlaneWorld,
  project: string,
  body: Readonly<Record<string, unknown>>,
  isPartial: boolean,
): { readonly fields: Fields } | { readonly refused: Answer } {
  const fields: Record<string, unknown> = {};
  const errors: Record<string, unknown> = {};
  for (const [name, check] of Object.entries(checksOf(world))) {
    if (!(name in body)) continue;
    const outcome = check(body[name]);
    if ('errors' in outcome) errors[name] = outcome.errors;
    else fields[name] = outcome.value;
  }
  if (!isPartial && !('name' in body)) errors.name = ['This field is required.'];
  if (Object.keys(errors).length > 0) return { refused: invalid(errors) };
  return ofProject(world, project, fields as Fields);
}

// Assignees and labels of other projects are dropped silently; a state or parent of another project is refused.
function ofProject(world: PlaneWorld, project: string, fields: Fields) {
  const { start_date, target_date, description_html, state, parent, assignees, labels } = fields;
  if (start_date && target_date && start_date > target_date)
    return { refused: whole('Start date cannot exceed target date') };
  const html = description_html === undefined ? undefined : cleaned(description_html);
  if (html === null) return { refused: whole('Invalid HTML passed') };
  if (state && !world.states.some((each) => each.id === state && each.project === project))
    return { refused: whole('State is not valid please pass a valid state_id') };
  if (parent && !world.items.some((each) => each.id === parent && each.project === project))
    return { refused: whole('Parent is not valid issue_id please pass a valid issue_id') };

  const mayBeAssigned = (id: string) =>
    world.members.some((each) => each.project === project && each.member === id && each.is_active && each.role >= 15);
  return {
    fields: {
      ...fields,
      ...(html === undefined ? {} : { description_html: html }),
      ...(assignees === undefined ? {} : { assignees: [...new Set(assignees)].filter(mayBeAssigned) }),
      ...(labels === undefined
        ? {}
        : {
            labels: world.labels
              .filter((each) => each.project === project && labels.includes(each.id))
              .map(({ id }) => id),
          }),
    },
  };
}
