import { z } from 'zod';
import { type Answer, bareEvent, type Dialect } from './dialect.ts';
import type { Conversation, Turn } from './script.ts';

const Message = z.object({
  role: z.string(),
  content: z.unknown().optional(),
  tool_call_id: z.string().optional(),
  tool_calls: z.array(z.object({ id: z.string(), function: z.object({ name: z.string() }) })).default([]),
});

const Request = z.object({
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
  messages: z.array(Message),
});

function read({ tools, messages }: z.infer<typeof Request>): Conversation {
  const calls = messages.flatMap(({ tool_calls }) => tool_calls);
  const names = new Map(calls.map((call) => [call.id, call.function.name]));
  const results = messages
    .filter(({ role }) => role === 'tool')
    .map(({ tool_call_id = '', content }) => ({ name: names.get(tool_call_id) ?? '', text: JSON.stringify(content) }));
  const told = messages.filter(({ role }) => role === 'user').map(({ content }) => JSON.stringify(content));
  return { offered: tools.map((tool) => tool.function.name), results, told };
}

function stream(turn: Turn, number: number): readonly string[] {
  const chunk = (delta: object, finish_reason: string | null) =>
    bareEvent({
      id: `chatcmpl_${number}`,
      object: 'chat.completion.chunk',
      created: 0,
      model: 'scripted',
      choices: [{ index: 0, delta, finish_reason }],
      ...(finish_reason !== null && { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }),
    });
  if ('say' in turn)
    return [chunk({ role: 'assistant', content: turn.say }, null), chunk({}, 'stop'), bareEvent('[DONE]')];

  const called = { name: turn.call, arguments: JSON.stringify(turn.arguments) };
  const tool_calls = [{ index: 0, id: `call_${number}`, type: 'function', function: called }];
  return [chunk({ role: 'assistant', tool_calls }, null), chunk({}, 'tool_calls'), bareEvent('[DONE]')];
}

/** OpenAI chat completions, always streamed: opencode. */
export const chat: Dialect = {
  speaks: (path) => path.endsWith('/chat/completions'),
  answer: ({ body }, play): Answer => {
    const conversation = read(Request.parse(body));
    return { events: stream(play(conversation), conversation.results.length) };
  },
};
