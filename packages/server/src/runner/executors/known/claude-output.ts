import { z } from 'zod';
import type { RunSink } from '#runner/executor';
import { cleanText, cutText } from '#runner/executors/clean-text';
import type { OutputReader } from '#runner/executors/command';
import { type Activity, createNarration } from '#runner/executors/narration';
import { followTodos, isTodoTool } from './claude-todos.ts';
import { parseLine } from './parse-line.ts';

const MAX_DETAIL_CHARACTERS = 4_000;

const Use = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});
const Part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  Use,
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.unknown().optional(),
    is_error: z.boolean().nullish(),
  }),
]);
type Use = z.infer<typeof Use>;
const Tokens = z.object({ input_tokens: z.int().min(0), output_tokens: z.int().min(0) });
const Message = z.object({
  type: z.enum(['assistant', 'user']),
  message: z.object({
    id: z.string().nullish().catch(null),
    content: z.array(Part.nullable().catch(null)).catch([]),
    usage: Tokens.nullish().catch(null),
  }),
});
const Result = z.object({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean(),
  result: z.string().optional(),
  usage: Tokens,
  total_cost_usd: z.number().min(0).optional(),
  // The total counts the whole session.
  model_usage_since_last_result: z.record(z.string(), z.object({ costUSD: z.number().min(0) })).optional(),
});
const Init = z.object({ type: z.literal('system'), subtype: z.literal('init'), claude_code_version: z.string() });
const Line = z.union([Message, Result, Init, z.looseObject({ type: z.string() })]);

const ACTIVITIES: Readonly<Record<string, Activity>> = {
  Bash: 'command',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Write: 'edit',
};

function detailOf({ input }: Use): string | null {
  const detail = input.command ?? input.file_path ?? input.notebook_path ?? input.pattern ?? input.url;
  if (typeof detail === 'string') return detail.slice(0, MAX_DETAIL_CHARACTERS);
  return Object.keys(input).length === 0 ? null : JSON.stringify(input).slice(0, MAX_DETAIL_CHARACTERS);
}

const wordsOf = (content: unknown): string =>
  (typeof content === 'string' ? content : JSON.stringify(content ?? '')).slice(0, MAX_DETAIL_CHARACTERS);

const reportOf = (use: Use) => {
  const { description } = use.input;
  const title = typeof description === 'string' ? `${use.name}: ${description}` : use.name;
  return { id: use.id, title, activity: ACTIVITIES[use.name] ?? ('tool_call' as const), detail: detailOf(use) };
};

function costOf({ model_usage_since_last_result: usage, total_cost_usd }: z.infer<typeof Result>): number | undefined {
  return usage === undefined ? total_cost_usd : Object.values(usage).reduce((sum, { costUSD }) => sum + costUSD, 0);
}

type Tokens = z.infer<typeof Tokens>;
const NO_TOKENS: Tokens = { input_tokens: 0, output_tokens: 0 };

const sumOf = (a: Tokens, b: Tokens): Tokens => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
});

/** Reads the output of Claude Code with `--output-format stream-json`. */
export function readClaude(sink: RunSink): OutputReader {
  const narration = createNarration(sink);
  const todos = followTodos(narration);
  const uses = new Map<string, Use>();
  let failure: string | null = null;
  let before = NO_TOKENS;
  let current: Tokens & { readonly id: string } = { id: '', ...NO_TOKENS };

  const takeUse = (use: Use): void => {
    uses.set(use.id, use);
    if (isTodoTool(use.name)) todos.used(use.name, use.input);
    else narration.tool({ ...reportOf(use), status: 'running', outcome: null });
  };

  const takeAnswer = (id: string, content: string, isError: boolean): void => {
    const use = uses.get(id);
    uses.delete(id);
    if (use === undefined) return;
    if (isTodoTool(use.name)) todos.answered(use.name, use.input, content);
    else narration.tool({ ...reportOf(use), status: isError ? 'failed' : 'completed', outcome: content || null });
  };

  const takePart = (part: z.infer<typeof Part>): void => {
    if (part.type === 'tool_use') takeUse(part);
    else if (part.type === 'tool_result') takeAnswer(part.tool_use_id, wordsOf(part.content), part.is_error === true);
    else if (part.type === 'thinking') narration.think(part.thinking, null);
    else narration.say(part.text, null);
  };

  /** Each part of a message comes as a message of its own, with the tokens of the whole so far. */
  const takeTokens = ({ id, usage }: z.infer<typeof Message>['message']): void => {
    if (!id || !usage) return;
    if (id !== current.id) before = sumOf(before, current);
    current = { id, ...usage };
    sink.usage(sumOf(before, usage));
  };

  const takeMessage = ({ type, message }: z.infer<typeof Message>): void => {
    if (type === 'assistant') takeTokens(message);
    for (const part of message.content) {
      // Its own messages to itself come back as messages of the user.
      if (part !== null && (type === 'assistant' || part.type === 'tool_result')) takePart(part);
    }
    narration.pause();
  };

  const takeResult = (result: z.infer<typeof Result>): void => {
    const { input_tokens, output_tokens } = result.usage;
    const cost_usd = costOf(result);
    sink.usage({ input_tokens, output_tokens, ...(cost_usd === undefined ? {} : { cost_usd }) });
    if (result.is_error) failure = cutText(cleanText(result.result ?? result.subtype.replaceAll('_', ' ')), 500);
  };

  return {
    take: (text) => {
      const line = parseLine(Line, text);
      if (line === null) return text.trim() === '';
      const [message, result, init] = [Message.safeParse(line), Result.safeParse(line), Init.safeParse(line)];
      if (message.success) takeMessage(message.data);
      if (result.success) takeResult(result.data);
      if (init.success) sink.client(`claude-code ${init.data.claude_code_version}`);
      return true;
    },
    end: () => ({ failure, summary: narration.summary() }),
  };
}
