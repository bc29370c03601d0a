import { z } from 'zod';
import type { PlanItem } from '#domain/run';
import { cutText } from '#runner/executors/clean-text';
import type { Activity, ToolReport } from '#runner/executors/narration';

const MAX_DETAIL_CHARACTERS = 4_000;
const MAX_KEPT = 1_000;

const Content = z.union([
  z.object({ type: z.literal('content'), content: z.object({ type: z.literal('text'), text: z.string() }) }),
  z.object({ type: z.literal('diff'), path: z.string(), oldText: z.string().nullish(), newText: z.string() }),
]);
const ToolCall = z.object({
  toolCallId: z.string().transform((id) => id.slice(0, 200)),
  title: z.string().nullish().catch(null),
  kind: z.string().nullish().catch(null),
  status: z.enum(['pending', 'in_progress', 'completed', 'failed']).nullish().catch(null),
  content: z.array(Content.nullable().catch(null)).nullish().catch(null),
  locations: z
    .array(z.object({ path: z.string() }))
    .nullish()
    .catch(null),
  rawInput: z.unknown().optional(),
});
type ToolCall = z.infer<typeof ToolCall>;

const CommandInput = z.object({
  command: z.union([z.string(), z.array(z.string()).transform((words) => words.join(' '))]),
});
const Todo = z.object({ content: z.string().optional(), description: z.string().optional(), status: z.string() });
const TodoInput = z.object({ todos: z.array(Todo).max(1_000) });
// By name too: the list itself arrives only when the tool begins.
const TODO_TOOL = /^(todo_?write|write_?todos|update_?todos|update_?plan)$/i;

const ACTIVITIES: Readonly<Record<string, Activity>> = {
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
  execute: 'command',
};
const STATUSES = { pending: 'pending', in_progress: 'running', completed: 'completed', failed: 'failed' } as const;

export const planStatus = (status: string): PlanItem['status'] =>
  status === 'in_progress' ? 'running' : status === 'completed' ? 'completed' : 'pending';

const signed = (sign: string, text: string): readonly string[] =>
  text === ''
    ? []
    : text
        .slice(0, MAX_DETAIL_CHARACTERS)
        .split('\n')
        .map((line) => `${sign} ${line}`);

/** Describes the use of a tool: a command, a change, a path, or else its input. */
function detailOf({ rawInput, content, locations }: ToolCall): string | null {
  const command = CommandInput.safeParse(rawInput);
  if (command.success) return cutText(command.data.command, MAX_DETAIL_CHARACTERS);
  const diff = content?.find((one) => one?.type === 'diff');
  if (diff?.type === 'diff') {
    const change = [diff.path, ...signed('-', diff.oldText ?? ''), ...signed('+', diff.newText)].join('\n');
    return cutText(change, MAX_DETAIL_CHARACTERS);
  }
  const [location] = locations ?? [];
  if (location !== undefined) return cutText(location.path, MAX_DETAIL_CHARACTERS);
  const hasInput = typeof rawInput === 'object' && rawInput !== null && Object.keys(rawInput).length > 0;
  return hasInput ? cutText(JSON.stringify(rawInput), MAX_DETAIL_CHARACTERS) : null;
}

function outcomeOf({ content }: ToolCall): string | null {
  const said = content?.flatMap((one) => (one?.type === 'content' ? [one.content.text] : [])) ?? [];
  return said.length === 0 ? null : cutText(said.join('\n'), MAX_DETAIL_CHARACTERS);
}

function todosOf({ rawInput }: ToolCall): readonly PlanItem[] | null {
  const input = TodoInput.safeParse(rawInput);
  if (!input.success) return null;
  return input.data.todos.map(({ content, description, status }) => ({
    content: content ?? description ?? '',
    status: planStatus(status),
  }));
}

export interface ToolUse extends ToolReport {
  /** The plan that the tool writes; null for any other tool. */
  readonly todos: readonly PlanItem[] | null;
  readonly is_plan: boolean;
}

/** Keeps the tool calls of an agent, because updates contain only the changed fields. */
export function createToolCalls() {
  const uses = new Map<string, ToolUse>();

  const merge = (call: ToolCall): ToolUse => {
    const before = uses.get(call.toolCallId);
    const title = call.title?.slice(0, MAX_DETAIL_CHARACTERS) ?? before?.title ?? call.kind?.slice(0, 50) ?? 'tool';
    const todos = todosOf(call) ?? before?.todos ?? null;
    return {
      id: call.toolCallId,
      title,
      activity: call.kind == null ? (before?.activity ?? 'tool_call') : (ACTIVITIES[call.kind] ?? 'tool_call'),
      status: call.status == null ? (before?.status ?? 'pending') : STATUSES[call.status],
      detail: detailOf(call) ?? before?.detail ?? null,
      outcome: outcomeOf(call) ?? before?.outcome ?? null,
      todos,
      is_plan: before?.is_plan === true || todos !== null || TODO_TOOL.test(title),
    };
  };

  return {
    /** Returns the tool call with this update merged in; null for another kind of update. */
    note: (update: unknown): ToolUse | null => {
      const parsed = ToolCall.safeParse(update);
      if (!parsed.success) return null;
      const use = merge(parsed.data);
      uses.delete(use.id);
      uses.set(use.id, use);
      const [oldest] = uses.keys();
      if (uses.size > MAX_KEPT && oldest !== undefined) uses.delete(oldest);
      return use;
    },
  };
}

export type ToolCalls = ReturnType<typeof createToolCalls>;
