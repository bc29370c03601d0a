import { createHash } from 'node:crypto';
import type { ProjectId } from '#domain/ids';
import { namedState } from '#domain/import/column-words';
import { firstNotes, type ImportedTask, type ImportFile, type ImportNote } from '#domain/import/imported-task';
import { type ImportFormat, readImport } from '#domain/import/read-files';
import type { Label, State } from '#domain/project';
import { refusal } from '#domain/refusal';
import type { Ports } from '#services/ports';
import type { TaskerAdapter } from '#services/tasker/adapter';
import { MAX_PARENT_DEPTH } from '#services/tasker/references';
import type { ReadWork, WriteWork } from '#services/work';
import { waitingState } from './claims.ts';
import { type CreatedTask, createTaskPlans } from './create-tasks.ts';
import { projectOf } from './lookup.ts';
import { statesOf } from './statuses.ts';

export interface ImportOrder {
  readonly project_id: ProjectId;
  readonly files: readonly ImportFile[];
}

/** A task with the column and the labels that it gets. */
export interface PlacedTask extends ImportedTask {
  readonly state: State;
  readonly found_labels: readonly Label[];
}

export interface ReadImport {
  readonly formats: readonly ImportFormat[];
  readonly tasks: readonly PlacedTask[];
  readonly faults: readonly ImportNote[];
  readonly left_out: readonly ImportNote[];
  /** Names the content: an import that is repeated with it is done once. */
  readonly key: string;
  /** When the caller imported it, as long as it would not be imported again; null for not. */
  readonly imported_at: number | null;
}

const keyOf = ({ project_id, files }: ImportOrder): string =>
  `import-${createHash('sha256')
    .update(JSON.stringify([project_id, files]))
    .digest('base64url')}`;

const noteText = ({ file, line, text }: ImportNote): string =>
  `${[file, line === null ? '' : `line ${line}`].filter(Boolean).join(', ')}${file === '' && line === null ? '' : ': '}${text}`;

/** Words of a file that the project has no column or label for, each once. */
function unknownWords(kind: string, named: ReadonlyMap<string, ImportedTask>, instead: string): readonly ImportNote[] {
  return [...named].map(([word, { file, line }]) => ({
    file,
    line,
    text: `The project has no ${kind} ${JSON.stringify(word)}: ${instead}.`,
  }));
}

/** The first task that is further below others than the board takes. */
function deepest(tasks: readonly ImportedTask[]): readonly ImportNote[] {
  const parents = new Map(tasks.map(({ ref, parent_ref }) => [ref, parent_ref]));
  const found = tasks.find((task) => {
    let depth = 0;
    for (let above = task.parent_ref; above !== null && depth <= MAX_PARENT_DEPTH; depth += 1) {
      above = parents.get(above) ?? null;
    }
    return depth > MAX_PARENT_DEPTH;
  });
  if (found === undefined) return [];
  const { file, line, ref } = found;
  return [{ file, line, text: `${ref} is nested deeper than ${MAX_PARENT_DEPTH} levels.` }];
}

/** Tasks of other programs, and of an export: what files hold, and its import. */
export function createImports(ports: Ports, adapter: Pick<TaskerAdapter, 'is_local'>) {
  const createPlan = createTaskPlans(ports, adapter);

  async function read(work: ReadWork, order: ImportOrder): Promise<ReadImport> {
    const project = await projectOf(adapter, work, order.project_id);
    const states = await statesOf(work, project);
    const waiting = waitingState(states);
    if (waiting === undefined) throw refusal('project_id', 'has no column for tasks that wait to be started');
    const labels = await work.tx.projects.labels(work.caller.workspace_id, project.id);
    const byName = new Map(labels.map((label) => [label.name.toLowerCase(), label]));
    const { tasks, formats, faults, left_out } = readImport(order.files);

    const columns = new Map<string, ImportedTask>();
    const missing = new Map<string, ImportedTask>();
    const placed = tasks.map((task): PlacedTask => {
      const state = namedState(states, task.status);
      if (state === null && task.status !== null && !columns.has(task.status)) columns.set(task.status, task);
      const known = task.labels.map((name) => byName.get(name.toLowerCase()));
      task.labels.forEach((name, at) => {
        if (known[at] === undefined && !missing.has(name)) missing.set(name, task);
      });
      const found_labels = [...new Set(known.filter((label) => label !== undefined))];
      return { ...task, state: state ?? waiting, found_labels };
    });
    const key = keyOf(order);
    const before = await work.tx.idempotency.find(work.caller.principal_id, key);
    return {
      formats,
      tasks: placed,
      faults: [...faults, ...deepest(tasks)],
      left_out: [
        ...left_out,
        ...firstNotes(unknownWords('column', columns, `its tasks go to ${waiting.name}`)),
        ...firstNotes(unknownWords('label', missing, 'it is left out')),
      ],
      key,
      imported_at: before === null || before.result === null ? null : before.created_at,
    };
  }

  return {
    read,
    /** Creates all tasks of the files, or none. */
    create: async (work: WriteWork, order: ImportOrder): Promise<readonly CreatedTask[]> => {
      const { tasks, faults } = await read(work, order);
      const [fault] = faults;
      if (fault !== undefined) throw refusal('files', `cannot be imported: ${noteText(fault)}`);
      return createPlan(work, {
        project_id: order.project_id,
        tasks: tasks.map(({ ref, title, description, priority, parent_ref, ...task }) => ({
          ref,
          title,
          description,
          priority,
          state: task.state,
          label_ids: task.found_labels.map(({ id }) => id),
          target_date: task.target_date,
          layout: task.layout,
          parent_ref: parent_ref ?? undefined,
          blocked_by: task.blocked_by,
        })),
      });
    },
  };
}
