import type { z } from 'zod';
import { kindNamedBy } from '#domain/ids';
import { isEverywhere, withinReach } from '#domain/reach';
import { isNamedKind, isWholeId, type NamedKind, type NameSight, type Near } from '#domain/reference';
import { readableRuns } from '#domain/run-visibility';
import { idOf } from '#services/names';
import type { TaskerAdapter } from '#services/tasker/adapter';
import type { Reads } from '#store/store';
import type { Tool } from '#tools/catalog';
import type { Settled } from './admit.ts';
import { authorizeProject } from './authorize.ts';

/** A field of a tool's input that names a thing. `*` in its path stands for every entry of a list. */
export interface IdField {
  readonly path: readonly string[];
  readonly kind: NamedKind;
}

/** What a field names can depend on what others name: a repository is looked for in the project of the call first. */
const FIRST: readonly NamedKind[] = ['project', 'work_item', 'attempt', 'execution'];

const rank = ({ kind }: IdField): number => (FIRST.includes(kind) ? FIRST.indexOf(kind) : FIRST.length);

type Schema = z.core.$ZodType;

/** The definition of a schema has no type for all kinds. */
interface Def {
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
}

function* fieldsIn(schema: Schema, path: readonly string[]): Generator<IdField> {
  const kind = kindNamedBy(schema);
  if (kind !== null) {
    if (isNamedKind(kind)) yield { path, kind };
    return;
  }
  // The cast: the definition of a schema has these parts where its kind has them.
  const { innerType, element, shape } = schema._zod.def as Def;
  if (innerType !== undefined) yield* fieldsIn(innerType, path);
  if (element !== undefined) yield* fieldsIn(element, [...path, '*']);
  for (const [name, field] of Object.entries(shape ?? {})) yield* fieldsIn(field, [...path, name]);
}

const known = new WeakMap<Tool, readonly IdField[]>();

/** Every field of a tool that names a thing, found once by walking its input schema. */
export function idFieldsOf(tool: Tool): readonly IdField[] {
  const found = known.get(tool) ?? [...fieldsIn(tool.input, [])].toSorted((a, b) => rank(a) - rank(b));
  known.set(tool, found);
  return found;
}

type Change = (text: string) => Promise<string>;

/** The value with every text at this path changed. Values that are no ids stay the same objects. */
async function changedAt(value: unknown, [name, ...path]: readonly string[], change: Change): Promise<unknown> {
  if (name === undefined) return typeof value === 'string' && value !== '' ? change(value) : value;
  if (name === '*') {
    if (!Array.isArray(value)) return value;
    const entries: unknown[] = [];
    for (const entry of value) entries.push(await changedAt(entry, path, change));
    return entries;
  }
  if (typeof value !== 'object' || value === null || !(name in value)) return value;
  // Checked above.
  const fields = value as Record<string, unknown>;
  return { ...fields, [name]: await changedAt(fields[name], path, change) };
}

/** Whether every text at this path is a whole id: then nothing has to be looked up. */
function areWholeIds(value: unknown, [name, ...path]: readonly string[]): boolean {
  if (name === undefined) return typeof value !== 'string' || isWholeId(value);
  if (name === '*') return !Array.isArray(value) || value.every((entry) => areWholeIds(entry, path));
  // As above.
  return typeof value !== 'object' || value === null || areWholeIds((value as Record<string, unknown>)[name], path);
}

/** Fields that are not names here: the id of an app's user comes from the app, those of a tracker elsewhere from there. */
const isNamed = ({ call: { tool }, input }: Settled, tracker: Pick<TaskerAdapter, 'is_local'>, field: IdField) =>
  !(field.kind === 'user' && typeof input.app === 'string') &&
  (tracker.is_local || (tool.profile !== 'tasker' && !(tool.profile === 'executions' && field.kind === 'work_item')));

async function sightOf(reads: Reads, { call: { caller, tool }, subject }: Settled): Promise<NameSight> {
  const { workspace_id, user_id, attempt_id } = caller;
  const is_admin = tool.profile === 'admin' || isEverywhere(caller.reach);
  const own = tool.subject === null ? null : await reads.projects.todoList(workspace_id, subject);
  return {
    workspace_id,
    user_id,
    attempt_id,
    subject,
    is_admin,
    project_ids: own === null ? (tool.profile === 'admin' ? 'all' : withinReach(caller.reach, [])) : [own.project_id],
    sees: readableRuns(caller).sees,
  };
}

/** An id that the input names. The cast to never fits every kind of id: a text that is no id finds nothing. */
const text = (value: unknown): never => (typeof value === 'string' ? value : undefined) as never;

/** The project of the task or of the attempt that the input names, whose ids have been found already. */
async function projectNear(reads: Reads, sight: NameSight, input: Settled['input']): Promise<Near['project_id']> {
  const { project_id, task_id, attempt_id } = input;
  if (project_id !== undefined) return text(project_id);
  if (typeof attempt_id === 'string') return (await reads.attempts.find(sight, text(attempt_id)))?.project_id;
  return typeof task_id === 'string' ? (await reads.workItems.find(sight, text(task_id)))?.project_id : undefined;
}

/** Things that the input names beside this one. */
async function nearTo(reads: Reads, sight: NameSight, input: Settled['input'], kind: NamedKind): Promise<Near> {
  const { project_id, attempt_id, execution_id } = input;
  return {
    // Repositories of different projects often have one name.
    project_id: kind === 'repo' ? await projectNear(reads, sight, input) : text(project_id),
    attempt_id: text(attempt_id),
    execution_id: text(execution_id),
  };
}

/** Replaces keys, names and starts of ids in the arguments by ids. Whole ids cost nothing. */
export function createResolve(tracker: Pick<TaskerAdapter, 'is_local'>) {
  async function inputWithIds(reads: Reads, settled: Settled, fields: readonly IdField[]): Promise<Settled['input']> {
    const sight = await sightOf(reads, settled);
    let input: Settled['input'] = settled.input;
    for (const { path, kind } of fields) {
      const near = await nearTo(reads, sight, input, kind);
      const change: Change = (given) => idOf(reads, sight, { field: path.join('.'), kind, text: given, near });
      // An object stays an object.
      input = (await changedAt(input, path, change)) as Settled['input'];
    }
    return input;
  }

  return async (reads: Reads, settled: Settled): Promise<Settled> => {
    const { call, needed } = settled;
    const given = call.tool.project === null ? undefined : settled.input[call.tool.project];
    const fields = idFieldsOf(call.tool).filter(
      (field) => !areWholeIds(settled.input, field.path) && isNamed(settled, tracker, field),
    );
    const resolved = fields.length === 0 ? settled : { ...settled, input: await inputWithIds(reads, settled, fields) };
    // `admit` has checked a whole id alone. The id of a project in a tracker elsewhere need not be one.
    if (call.tool.project !== null && typeof given === 'string' && !isWholeId(given)) {
      authorizeProject(call, needed, text(resolved.input[call.tool.project]));
    }
    return resolved;
  };
}
