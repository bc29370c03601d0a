import { z } from 'zod';
import { type Answer, type Dialect, namedEvent } from './dialect.ts';
import type { Conversation, Turn } from './script.ts';

const Item = z.object({
  type: z.string(),
  call_id: z.string().default(''),
  name: z.string().default(''),
  output: z.unknown().optional(),
});

const Tool = z.object({ name: z.string().default(''), tools: z.array(z.object({ name: z.string() })).optional() });
const Request = z.object({ tools: z.array(Tool).default([]), input: z.array(Item) });

/** The address of a tool: tools of an MCP server have a namespace, and a name without it. */
interface Address {
  readonly name: string;
  readonly namespace?: string;
}

const addressesOf = ({ tools }: z.infer<typeof Request>): ReadonlyMap<string, Address> =>
  new Map(
    tools
      .flatMap((tool): readonly Address[] => tool.tools?.map(({ name }) => ({ name, namespace: tool.name })) ?? [tool])
      .map(({ name, namespace }) => (namespace ? [`${namespace}__${name}`, { name, namespace }] : [name, { name }])),
  );

function resultsOf({ input }: z.infer<typeof Request>): Conversation['results'] {
  const names = new Map(input.filter(({ type }) => type === 'function_call').map((item) => [item.call_id, item.name]));
  return input
    .filter(({ type }) => type === 'function_call_output')
    .map(({ call_id, output }) => ({ name: names.get(call_id) ?? '', text: JSON.stringify(output) }));
}

function write(turn: Turn, number: number, addresses: ReadonlyMap<string, Address>) {
  if ('say' in turn) {
    const content = [{ type: 'output_text', text: turn.say }];
    return { type: 'message', id: `msg_${number}`, role: 'assistant', content };
  }
  const ids = { id: `fc_${number}`, call_id: `call_${number}` };
  return { type: 'function_call', ...ids, ...addresses.get(turn.call), arguments: JSON.stringify(turn.arguments) };
}

function stream(item: object, number: number): readonly string[] {
  const response = { id: `resp_${number}`, usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } };
  const events = [
    { type: 'response.created', response: { id: response.id } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
  return events.map(namedEvent);
}

/** OpenAI Responses, always streamed: Codex. */
export const responses: Dialect = {
  speaks: (path) => path.endsWith('/responses'),
  answer: ({ body }, play): Answer => {
    const request = Request.parse(body);
    const addresses = addressesOf(request);
    const results = resultsOf(request);
    const turn = play({ offered: [...addresses.keys()], results });
    return { events: stream(write(turn, results.length, addresses), results.length) };
  },
};
