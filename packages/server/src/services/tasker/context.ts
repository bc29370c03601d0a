import { fitting, jsonLength, ROOM } from '#domain/answer-size';
import type { ProjectId } from '#domain/ids';
import { ProjectPart } from '#domain/project';
import { refusal } from '#domain/refusal';
import type { Ports } from '#services/ports';
import type { ReadWork } from '#services/work';
import type { TaskerAdapter, TrackerLabel, TrackerMember, TrackerState } from './adapter.ts';
import { type GrantedProject, projectOf, withKeyThatIsTaken } from './lookup.ts';

interface ContextRequest {
  readonly project_id: ProjectId;
  /** Only this list, from `cursor` on. */
  readonly part?: ProjectPart | undefined;
  readonly cursor?: string | undefined;
}

interface ProjectContext extends GrantedProject {
  readonly states?: readonly TrackerState[];
  readonly labels?: readonly TrackerLabel[];
  readonly members?: readonly TrackerMember[];
  /** The cursors of lists that were too long. */
  readonly more: Readonly<Partial<Record<ProjectPart, string>>>;
}

interface PartRequest {
  readonly part: ProjectPart;
  readonly cursor?: string | undefined;
  readonly characters: number;
}

/** The limits in characters of the lists beside the card guide. */
const PART_CHARACTERS = { states: 900, labels: 600, members: 600 } as const;

/** The states, labels and members that a card of a project can use. */
export function createContext({ cursors }: Ports, adapter: TaskerAdapter) {
  // Without the colors, which an agent does not need.
  const labelsOf = async (work: ReadWork, project: ProjectId): Promise<readonly TrackerLabel[]> =>
    (await adapter.labels(work, project)).map(({ id, name }) => ({ id, name }));
  const READ = { states: adapter.states, labels: labelsOf, members: adapter.members } as const;

  async function readPart(work: ReadWork, project: ProjectId, { part, cursor, characters }: PartRequest) {
    const list = `context:${work.caller.principal_id}:${project}:${part}`;
    const all: readonly (TrackerState | TrackerLabel | TrackerMember)[] = await READ[part](work, project);
    const after = cursor === undefined ? null : cursors.decode(list, cursor);
    const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    if (after !== null && start === 0) throw refusal('cursor', 'stood at something that is gone', 'Leave it out.');

    const rest = all.slice(start);
    const rows = rest.slice(0, Math.max(1, fitting(rest, characters)));
    const more = rows.length < rest.length ? { [part]: cursors.encode(list, rows.at(-1)?.id ?? '') } : {};
    return { lists: { [part]: rows }, more, unused: Math.max(0, characters - jsonLength(rows)) };
  }

  return {
    read: async (work: ReadWork, { project_id, part, cursor }: ContextRequest): Promise<ProjectContext> => {
      if (cursor !== undefined && part === undefined) throw refusal('part', 'is required with cursor');
      const project = withKeyThatIsTaken(adapter, await projectOf(work, project_id));
      const rights = work.rightsIn(project.id);
      if (part !== undefined) {
        const { lists, more } = await readPart(work, project.id, { part, cursor, characters: ROOM.list });
        return { project, rights, ...lists, more };
      }

      let context: ProjectContext = { project, rights, more: {} };
      let unused = 0;
      for (const name of ProjectPart.options) {
        const read = await readPart(work, project.id, { part: name, characters: PART_CHARACTERS[name] + unused });
        context = { ...context, ...read.lists, more: { ...context.more, ...read.more } };
        unused = read.unused;
      }
      return context;
    },
  };
}
