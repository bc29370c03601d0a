import { z } from 'zod';
import type { PlanItem } from '#domain/run';
import type { Narration } from '#runner/executors/narration';

const TOOLS = ['TodoWrite', 'TaskCreate', 'TaskUpdate', 'TaskList', 'TaskGet'];
const MAX_TASKS = 1_000;

const Todos = z.object({ todos: z.array(z.object({ content: z.string(), status: z.string() })) });
const NewTask = z.object({ subject: z.string() });
const TaskChange = z.object({ taskId: z.string(), status: z.string() });

const statusOf = (status: string): PlanItem['status'] =>
  status === 'in_progress' ? 'running' : status === 'completed' ? 'completed' : 'pending';

/** The tools with which Claude Code writes its plan. */
export const isTodoTool = (name: string): boolean => TOOLS.includes(name);

/** Follows the plan: older versions write the whole list, newer ones create a task and then change it by its number. */
export function followTodos(narration: Narration) {
  const tasks = new Map<string, PlanItem>();
  return {
    used: (name: string, input: unknown): void => {
      const todos = name === 'TodoWrite' ? Todos.safeParse(input) : null;
      if (todos?.success) {
        narration.plan(todos.data.todos.map(({ content, status }) => ({ content, status: statusOf(status) })));
      }
      const change = name === 'TaskUpdate' ? TaskChange.safeParse(input) : null;
      const task = change?.success ? tasks.get(change.data.taskId) : undefined;
      if (!change?.success || task === undefined) return;
      tasks.set(change.data.taskId, { ...task, status: statusOf(change.data.status) });
      narration.plan([...tasks.values()]);
    },
    answered: (name: string, input: unknown, answer: string): void => {
      const made = name === 'TaskCreate' ? NewTask.safeParse(input) : null;
      const number = answer.match(/#(\d+)/)?.[1];
      if (!made?.success || number === undefined || tasks.size >= MAX_TASKS) return;
      tasks.set(number, { content: made.data.subject, status: 'pending' });
    },
  };
}
