import { z } from 'zod';
import { type Answer, bareEvent, type Dialect } from './dialect.ts';
import type { Conversation, Turn } from './script.ts';

const Part = z.object({
  functionResponse: z
    .object({ id: z.string().optional(), name: z.string(), response: z.unknown().optional() })
    .optional(),
});
const Tool = z.object({ functionDeclarations: z.array(z.object({ name: z.string() })).default([]) });
const Request = z.object({
  tools: z.array(Tool).default([]),
  contents: z.array(z.object({ parts: z.array(Part) })),
});

function read({ tools, contents }: z.infer<typeof Request>): Conversation {
  const given = contents.flatMap(({ parts }) => parts).flatMap((part) => part.functionResponse ?? []);
  // A loaded session contains every tool result twice.
  const once = given.filter(({ id }, index) => id === undefined || given.findIndex((one) => one.id === id) === index);
  const results = once.map(({ name, response }) => ({ name, text: JSON.stringify(response) }));
  return { offered: tools.flatMap((tool) => tool.functionDeclarations.map(({ name }) => name)), results };
}

function write(turn: Turn) {
  const part = 'say' in turn ? { text: turn.say } : { functionCall: { name: turn.call, args: turn.arguments } };
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
}

/** Google generateContent: Gemini CLI. */
export const gemini: Dialect = {
  speaks: (path) => /:(generateContent|streamGenerateContent|countTokens)$/.test(path),
  answer: ({ path, body }, play): Answer => {
    if (path.endsWith(':countTokens')) return { json: { totalTokens: 1 } };
    const answer = write(play(read(Request.parse(body))));
    return path.endsWith(':streamGenerateContent') ? { events: [bareEvent(answer)] } : { json: answer };
  },
};
