import { z } from 'zod';
import type { Narration } from '#runner/executors/narration';
import { planStatus, type ToolCalls } from './tool-calls.ts';

const Notification = z.object({ update: z.looseObject({ sessionUpdate: z.string() }) });
const Chunk = z.object({
  content: z.object({ type: z.literal('text'), text: z.string() }),
  messageId: z.string().nullish(),
});
const Plan = z.object({ entries: z.array(z.object({ content: z.string(), status: z.string() })) });
const UsageUpdate = z.object({
  update: z.object({
    sessionUpdate: z.literal('usage_update'),
    cost: z.object({ amount: z.number().min(0), currency: z.literal('USD') }),
  }),
});

/** The cost of the session so far in US dollars, if the update reports it. */
export function costIn(params: unknown): number | null {
  const usage = UsageUpdate.safeParse(params);
  return usage.success ? usage.data.update.cost.amount : null;
}

const ChunkUpdate = z.object({ update: z.object({ sessionUpdate: z.literal('agent_message_chunk') }).and(Chunk) });
const Other = z.object({
  update: z.object({ sessionUpdate: z.enum(['agent_thought_chunk', 'tool_call', 'tool_call_update', 'plan']) }),
});

/** The text of an update with a piece of a message; null for another activity of the agent; undefined for the rest. */
export function chunkIn(params: unknown): string | null | undefined {
  const chunk = ChunkUpdate.safeParse(params);
  if (chunk.success) return chunk.data.update.content.text;
  return Other.safeParse(params).success ? null : undefined;
}

/** Reads the parameters of `session/update`. Unknown ones are ignored. */
export function createUpdateReader(narration: Narration, toolCalls: ToolCalls): (params: unknown) => void {
  const takeTool = (update: unknown): void => {
    const use = toolCalls.note(update);
    if (use === null) return;
    if (!use.is_plan) narration.tool(use);
    else if (use.todos !== null) narration.plan(use.todos);
  };
  const takeChunk = (tell: Narration['say']) => (update: unknown) => {
    const chunk = Chunk.safeParse(update);
    if (chunk.success) tell(chunk.data.content.text, chunk.data.messageId ?? null);
  };

  const readers: Readonly<Record<string, (update: unknown) => void>> = {
    agent_message_chunk: takeChunk(narration.say),
    agent_thought_chunk: takeChunk(narration.think),
    tool_call: takeTool,
    tool_call_update: takeTool,
    plan: (update) => {
      const plan = Plan.safeParse(update);
      const entries = plan.success ? plan.data.entries : [];
      if (plan.success) narration.plan(entries.map(({ content, status }) => ({ content, status: planStatus(status) })));
    },
  };

  return (params) => {
    const parsed = Notification.safeParse(params);
    if (!parsed.success) return;
    const { update } = parsed.data;
    if (Object.hasOwn(readers, update.sessionUpdate)) readers[update.sessionUpdate]?.(update);
  };
}
