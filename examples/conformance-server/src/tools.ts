import { setTimeout as pause } from 'node:timers/promises';
import type { CallContext, Change, JsonObject, ToolAnswer, ToolShape } from '@errand/mcp';
import { asks, filledIn, form, image, sample, sampledText, says, text, WAV } from './content.ts';

/** The token, which the fixture takes for the name of whoever sent it. */
export type FixtureCaller = string | null;

export interface FixtureTool extends ToolShape {
  readonly run: (args: JsonObject, call: CallContext<FixtureCaller>) => Promise<ToolAnswer>;
}

export const NO_INPUT: JsonObject = { type: 'object', properties: {} };

const stringInput = (field: string): JsonObject => ({
  type: 'object',
  properties: { [field]: { type: 'string' } },
  required: [field],
});

/** Tools that the runner calls, apart from those that ask for input in rounds. */
export const createTools = (announce: (change: Change) => void): readonly FixtureTool[] => [
  {
    name: 'greet',
    description: 'Greets.',
    inputSchema: stringInput('name'),
    run: async ({ name }: { readonly name?: unknown }) => says(text(`Hello, ${String(name)}!`)),
  },
  {
    name: 'test_simple_text',
    description: 'Answers with text.',
    inputSchema: NO_INPUT,
    run: async () => says(text('This is a simple text response for testing.')),
  },
  {
    name: 'test_image_content',
    description: 'Answers with an image.',
    inputSchema: NO_INPUT,
    run: async () => says(image),
  },
  {
    name: 'test_audio_content',
    description: 'Answers with sound.',
    inputSchema: NO_INPUT,
    run: async () => says({ type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  },
  {
    name: 'test_embedded_resource',
    description: 'Answers with a resource.',
    inputSchema: NO_INPUT,
    run: async () =>
      says({
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      }),
  },
  {
    name: 'test_multiple_content_types',
    description: 'Answers with text, an image and a resource.',
    inputSchema: NO_INPUT,
    run: async () =>
      says(text('Multiple content types test:'), image, {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      }),
  },
  {
    name: 'test_error_handling',
    description: 'Fails.',
    inputSchema: NO_INPUT,
    run: async () => ({ ...says(text('This tool intentionally returns an error for testing')), failed: true }),
  },
  { name: 'test_tool_with_logging', description: 'Logs as it goes.', inputSchema: NO_INPUT, run: logThrice },
  { name: 'test_logging_tool', description: 'Logs as it goes.', inputSchema: NO_INPUT, run: logThrice },
  {
    name: 'test_tool_with_progress',
    description: 'Reports progress.',
    inputSchema: NO_INPUT,
    run: async (_args, call) => {
      for (const done of [0, 50, 100]) {
        call.progress(done, 100);
        await pause(50);
      }
      return says(text('Progress reported.'));
    },
  },
  {
    name: 'test_reconnection',
    description: 'Lets the client go before it answers.',
    inputSchema: NO_INPUT,
    run: async (_args, call) => {
      call.closeStream();
      await pause(100);
      return says(text('Reconnection test completed.'));
    },
  },
  {
    name: 'test_sampling',
    description: 'Asks the model of the client.',
    inputSchema: stringInput('prompt'),
    run: async ({ prompt }: { readonly prompt?: unknown }, { input_responses }) => {
      const { answer }: { readonly answer?: unknown } = input_responses;
      if (answer === undefined) return asks({ answer: sample(String(prompt), 100) });
      return says(text(`LLM response: ${sampledText(answer)}`));
    },
  },
  {
    name: 'test_elicitation',
    description: 'Asks the user.',
    inputSchema: stringInput('message'),
    run: ({ message }: { readonly message?: unknown }, call) =>
      askUser(call, String(message), {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      }),
  },
  {
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks the user, with defaults.',
    inputSchema: NO_INPUT,
    run: (_args, call) =>
      askUser(call, 'Please review and update the form fields with defaults', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
  },
  {
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks the user to choose.',
    inputSchema: NO_INPUT,
    run: (_args, call) => askUser(call, 'Please select options from the enum fields', ENUMS),
  },
  {
    name: 'test_streaming_elicitation',
    description: 'Reports progress, then asks the user.',
    inputSchema: NO_INPUT,
    run: async (_args, call) => {
      call.progress(1, 2);
      return await askUser(call, 'Go on?', { ok: { type: 'boolean' } });
    },
  },
  {
    name: 'test_missing_capability',
    description: 'Needs a client that samples.',
    inputSchema: NO_INPUT,
    run: async (_args, { input_responses }) => {
      const { answer }: { readonly answer?: unknown } = input_responses;
      return answer === undefined ? asks({ answer: sample('Anyone there?', 10) }) : says(text('Someone is.'));
    },
  },
  {
    name: 'test_trigger_tool_change',
    description: 'Says that the tools have changed.',
    inputSchema: NO_INPUT,
    run: async () => {
      announce({ kind: 'tools' });
      return says(text('Announced.'));
    },
  },
  {
    name: 'test_trigger_prompt_change',
    description: 'Says that the prompts have changed.',
    inputSchema: NO_INPUT,
    run: async () => {
      announce({ kind: 'prompts' });
      return says(text('Announced.'));
    },
  },
  {
    name: 'test_x_mcp_header',
    description: 'Takes an argument that is mirrored into a header.',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
    run: async ({ region }: { readonly region?: unknown }) => says(text(`Region: ${String(region)}`)),
  },
  {
    name: 'json_schema_2020_12_tool',
    description: 'Has a schema that uses much of JSON Schema 2020-12.',
    inputSchema: CONTACT_SCHEMA,
    run: async () => says(text('The schema is what matters here.')),
  },
];

async function logThrice(_args: JsonObject, call: CallContext<FixtureCaller>): Promise<ToolAnswer> {
  call.log('info', 'Tool execution started');
  await pause(50);
  call.log('info', 'Tool processing data');
  await pause(50);
  call.log('info', 'Tool execution completed');
  return says(text('Logged.'));
}

async function askUser(call: CallContext<FixtureCaller>, message: string, fields: JsonObject): Promise<ToolAnswer> {
  const { answer }: { readonly answer?: unknown } = call.input_responses;
  if (answer === undefined) return asks({ answer: form(message, fields) });
  return says(text(`Elicitation completed: ${JSON.stringify(filledIn(answer) ?? answer)}`));
}

const titled = (...titles: readonly string[]) => titles.map((title, index) => ({ const: `value${index + 1}`, title }));

const ENUMS: JsonObject = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: { type: 'array', items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') } },
};

const CONTACT_SCHEMA: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits this object.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};
