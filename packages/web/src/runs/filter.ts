import { type Run, workerOf } from '../api/runs.ts';
import { RUN_WORDS, type RunLook, runLook } from '../text/words.ts';
import { isRange, type Range } from './range.ts';

/** What the page shows, as its address keeps it. */
export interface RunsView {
  readonly range?: Range;
  readonly status?: RunLook;
  readonly agent?: string;
  readonly project?: string;
  readonly q?: string;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const isLook = (value: unknown): value is RunLook => typeof value === 'string' && Object.hasOwn(RUN_WORDS, value);

export function viewIn({ range, status, agent, project, q }: Record<string, unknown>): RunsView {
  const [who, where, words] = [text(agent), text(project), text(q)];
  return {
    ...(isRange(range) && { range }),
    ...(isLook(status) && { status }),
    ...(who !== undefined && { agent: who }),
    ...(where !== undefined && { project: where }),
    ...(words !== undefined && { q: words }),
  };
}

export const lookOf = ({ status, questions }: Pick<Run, 'status' | 'questions'>): RunLook =>
  runLook(status, questions > 0);

/** Whether a run matches the filter; words are looked for in its task, agent, reason and current step. */
export function matches(run: Run, { status, agent, project, q }: RunsView): boolean {
  if (status !== undefined && lookOf(run) !== status) return false;
  const worker = workerOf(run);
  if (agent !== undefined && worker.id !== agent) return false;
  if (project !== undefined && run.project_key !== project) return false;
  const words = [run.task_key, run.title, run.name, worker.name, run.reason, run.step].join(' ').toLowerCase();
  return q === undefined || words.includes(q.toLowerCase());
}

/** The agents and projects that there are runs of. */
export function choicesOf(runs: readonly Run[]) {
  const agents = new Map(runs.map((run) => [workerOf(run).id, workerOf(run).name]));
  const projects = new Set(runs.flatMap(({ project_key }) => project_key ?? []));
  return { agents: [...agents].map(([id, name]) => ({ id, name })), projects: [...projects].toSorted() };
}
