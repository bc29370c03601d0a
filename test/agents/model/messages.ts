import { z } from 'zod';
import { type Answer, type Dialect, namedEvent } from './dialect.ts';
import type { Conversation, Turn } from './script.ts';

const Block = z.union([
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string() }),
  z.object({ type: z.literal('tool_result'), tool_use_id: z.string(), content: z.unknown().optional() }),
  z.object({ type: z.string() }),
]);

const Request = z.object({
  stream: z.boolean().default(false),
  tools: z.array(z.object({ name: z.string() })).default([]),
  messages: z.array(z.object({ content: z.union([z.string(), z.array(Block)]) })),
});

function read({ tools, messages }: z.infer<typeof Request>): Conversation {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const names = new Map(blocks.flatMap((block) => ('name' in block ? [[block.id, block.name]] : [])));
  const results = blocks.flatMap((block) =>
    'tool_use_id' in block ? [{ name: names.get(block.tool_use_id) ?? '', text: JSON.stringify(block.content) }] : [],
  );
  return { offered: tools.map(({ name }) => name), results };
}

const USAGE = { input_tokens: 1, output_tokens: 1 };

function write(turn: Turn, number: number) {
  const block =
    'say' in turn
      ? { type: 'text', text: turn.say }
      : { type: 'tool_use', id: `toolu_${number}`, name: turn.call, input: turn.arguments };
  const stop_reason = 'say' in turn ? 'end_turn' : 'tool_use';
  return { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'scripted', content: [block], stop_reason };
}

function stream(turn: Turn, number: number): readonly string[] {
  const { stop_reason, content, ...message } = write(turn, number);
  const [start, delta] =
    'say' in turn
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: turn.say },
        ]
      : [
          { ...content[0], input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(turn.arguments) },
        ];
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage: USAGE } },
    { type: 'content_block_start', index: 0, content_block: start },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: USAGE },
    { type: 'message_stop' },
  ];
  return events.map(namedEvent);
}

/** Anthropic Messages: Claude Code. */
export const messages: Dialect = {
  speaks: (path) => path.startsWith('/v1/messages'),
  answer: ({ path, body }, play): Answer => {
    if (path.endsWith('/count_tokens')) return { json: { input_tokens: 1 } };
    const request = Request.parse(body);
    const conversation = read(request);
    const turn = play(conversation);
    const number = conversation.results.length;
    if (request.stream) return { events: stream(turn, number) };
    return { json: { ...write(turn, number), usage: USAGE } };
  },
};
