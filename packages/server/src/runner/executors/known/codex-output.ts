import { z } from 'zod';
import type { Usage } from '#domain/usage';
import type { RunSink } from '#runner/executor';
import { cleanText, cutText } from '#runner/executors/clean-text';
import type { OutputReader } from '#runner/executors/command';
import { createNarration, type Narration, type ToolReport } from '#runner/executors/narration';
import { parseLine } from './parse-line.ts';

const MAX_DETAIL_CHARACTERS = 4_000;

const Status = z.enum(['in_progress', 'completed', 'failed', 'declined']).catch('in_progress');
const Item = z.discriminatedUnion('type', [
  z.object({ type: z.literal('agent_message'), id: z.string(), text: z.string() }),
  z.object({ type: z.literal('reasoning'), id: z.string(), text: z.string() }),
  z.object({
    type: z.literal('command_execution'),
    id: z.string(),
    command: z.string(),
    aggregated_output: z.string().catch(''),
    status: Status,
  }),
  z.object({
    type: z.literal('file_change'),
    id: z.string(),
    changes: z.array(z.object({ path: z.string(), kind: z.string() })),
    status: Status,
  }),
  z.object({ type: z.literal('mcp_tool_call'), id: z.string(), server: z.string(), tool: z.string(), status: Status }),
  z.object({ type: z.literal('web_search'), id: z.string(), query: z.string() }),
  z.object({
    type: z.literal('todo_list'),
    id: z.string(),
    items: z.array(z.object({ text: z.string(), completed: z.boolean() })),
  }),
  z.object({ type: z.literal('error'), id: z.string(), message: z.string() }),
]);
type Item = z.infer<typeof Item>;
const Line = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: z.string().min(1).max(200) }),
  z.object({ type: z.enum(['item.started', 'item.updated', 'item.completed']), item: Item.nullable().catch(null) }),
  z.object({
    type: z.literal('turn.completed'),
    usage: z.object({ input_tokens: z.int().min(0), output_tokens: z.int().min(0) }),
  }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) }),
]);
const Any = z.looseObject({ type: z.string() });

const reportOf = (item: Item): Omit<ToolReport, 'id' | 'status'> | null => {
  if (item.type === 'command_execution') {
    const outcome = item.aggregated_output.slice(-MAX_DETAIL_CHARACTERS) || null;
    return { title: item.command.slice(0, MAX_DETAIL_CHARACTERS), activity: 'command', detail: null, outcome };
  }
  if (item.type === 'file_change') {
    const detail = item.changes.map(({ kind, path }) => `${kind} ${path}`).join('\n');
    return { title: 'Change files', activity: 'edit', detail: detail.slice(0, MAX_DETAIL_CHARACTERS), outcome: null };
  }
  if (item.type === 'mcp_tool_call') {
    return { title: `${item.server}: ${item.tool}`, activity: 'tool_call', detail: null, outcome: null };
  }
  if (item.type !== 'web_search') return null;
  return { title: `Search the web: ${item.query}`, activity: 'tool_call', detail: null, outcome: null };
};

const statusOf = (item: Item, isOver: boolean): ToolReport['status'] => {
  const status = 'status' in item ? item.status : 'in_progress';
  if (status === 'failed' || status === 'declined') return 'failed';
  return isOver || status === 'completed' ? 'completed' : 'running';
};

/** The first item that is not done is the current one: the list does not say so. */
function takePlan(
  narration: Narration,
  items: readonly { readonly text: string; readonly completed: boolean }[],
): void {
  const current = items.findIndex(({ completed }) => !completed);
  narration.plan(
    items.map(({ text, completed }, index) => ({
      content: text,
      status: completed ? 'completed' : index === current ? 'running' : 'pending',
    })),
  );
}

/** Reads the output of Codex with `--json`. */
export function readCodex(sink: RunSink, isResumed: boolean): OutputReader {
  const narration = createNarration(sink);
  let failure: string | null = null;

  // Codex counts for the whole session: the part of a resumed run is not known.
  const tellUsage = (usage: Usage): void => {
    if (!isResumed) sink.usage(usage);
  };

  const takeItem = (item: Item, isOver: boolean): void => {
    const report = reportOf(item);
    if (report !== null) narration.tool({ ...report, id: item.id, status: statusOf(item, isOver) });
    else if (item.type === 'todo_list') takePlan(narration, item.items);
    else if (isOver && item.type === 'agent_message') narration.say(item.text, item.id);
    else if (isOver && item.type === 'reasoning') narration.think(item.text, item.id);
    else if (item.type === 'error') sink.feed('output', cutText(cleanText(item.message), MAX_DETAIL_CHARACTERS));
    if (isOver) narration.pause();
  };

  return {
    take: (text) => {
      const line = parseLine(Line, text);
      if (line === null) return text.trim() === '' || parseLine(Any, text) !== null;
      if (line.type === 'thread.started') sink.session(line.thread_id);
      else if (line.type === 'turn.completed') tellUsage(line.usage);
      else if (line.type === 'turn.failed') failure = cutText(cleanText(line.error.message), 500);
      else if (line.item !== null) takeItem(line.item, line.type === 'item.completed');
      return true;
    },
    end: () => ({ failure, summary: narration.summary() }),
  };
}
