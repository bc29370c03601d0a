import { setTimeout as pause } from 'node:timers/promises';
import {
  audio,
  type CallContext,
  type Change,
  content,
  embedded,
  failure,
  type JsonObject,
  jsonSchema,
  type Tool,
  text,
  tool,
} from '@errand/mcp';
import { filledIn, form, pixel, sample, sampledText, WAV } from './content.ts';

/** The token, which the fixture uses as the caller's name. */
export type FixtureCaller = string | null;

const stringInput = <Field extends string>(field: Field) =>
  jsonSchema<Readonly<Record<Field, string>>>({
    type: 'object',
    properties: { [field]: { type: 'string' } },
    required: [field],
  });

/** Tools that answer with each kind of content. */
const CONTENT_TOOLS: readonly Tool<FixtureCaller>[] = [
  tool({
    name: 'greet',
    description: 'Greets.',
    input: stringInput('name'),
    run: ({ name }) => `Hello, ${name}!`,
  }),
  tool({
    name: 'test_simple_text',
    description: 'Answers with text.',
    run: () => 'This is a simple text response for testing.',
  }),
  tool({ name: 'test_image_content', description: 'Answers with an image.', run: () => content(pixel) }),
  tool({
    name: 'test_audio_content',
    description: 'Answers with sound.',
    run: () => content(audio(WAV, 'audio/wav')),
  }),
  tool({
    name: 'test_embedded_resource',
    description: 'Answers with a resource.',
    run: () =>
      content(
        embedded({
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        }),
      ),
  }),
  tool({
    name: 'test_multiple_content_types',
    description: 'Answers with text, an image and a resource.',
    run: () => {
      const held = JSON.stringify({ test: 'data', value: 123 });
      const resource = { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: held };
      return content(text('Multiple content types test:'), pixel, embedded(resource));
    },
  }),
  tool({
    name: 'test_error_handling',
    description: 'Fails.',
    run: () => failure('This tool intentionally returns an error for testing'),
  }),
  tool({
    name: 'test_x_mcp_header',
    description: 'Takes an argument that is mirrored into a header.',
    input: jsonSchema<{ readonly region: string }>({
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    }),
    run: ({ region }) => `Region: ${region}`,
  }),
];

/** Tools that send the client something, or ask it, before they answer. */
const TALKING_TOOLS: readonly Tool<FixtureCaller>[] = [
  tool({ name: 'test_tool_with_logging', description: 'Logs as it goes.', run: (_input, call) => logThrice(call) }),
  tool({ name: 'test_logging_tool', description: 'Logs as it goes.', run: (_input, call) => logThrice(call) }),
  tool({
    name: 'test_tool_with_progress',
    description: 'Reports progress.',
    run: async (_input, call) => {
      for (const done of [0, 50, 100]) {
        call.progress(done, 100);
        await pause(50);
      }
      return 'Progress reported.';
    },
  }),
  tool({
    name: 'test_reconnection',
    description: 'Lets the client go before it answers.',
    run: async (_input, call) => {
      call.closeStream();
      await pause(100);
      return 'Reconnection test completed.';
    },
  }),
  tool({
    name: 'test_sampling',
    description: 'Asks the model of the client.',
    input: stringInput('prompt'),
    run: ({ prompt }, call) => `LLM response: ${sampledText(call.ask({ answer: sample(prompt, 100) }).answer)}`,
  }),
  tool({
    name: 'test_missing_capability',
    description: 'Needs a client that samples.',
    run: (_input, call) => {
      call.ask({ answer: sample('Anyone there?', 10) });
      return 'Someone is.';
    },
  }),
  tool({
    name: 'test_elicitation',
    description: 'Asks the user.',
    input: stringInput('message'),
    run: ({ message }, call) =>
      askUser(call, message, {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      }),
  }),
  tool({
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks the user, with defaults.',
    run: (_input, call) => askUser(call, 'Please review and update the form fields with defaults', DEFAULTS),
  }),
  tool({
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks the user to choose.',
    run: (_input, call) => askUser(call, 'Please select options from the enum fields', ENUMS),
  }),
  tool({
    name: 'test_streaming_elicitation',
    description: 'Reports progress, then asks the user.',
    run: (_input, call) => {
      call.progress(1, 2);
      return askUser(call, 'Go on?', { ok: { type: 'boolean' } });
    },
  }),
];

/** All other tools that the runner calls. */
export const createTools = (announce: (change: Change) => void): readonly Tool<FixtureCaller>[] => [
  ...CONTENT_TOOLS,
  ...TALKING_TOOLS,
  tool({
    name: 'test_trigger_tool_change',
    description: 'Says that the tools have changed.',
    run: () => {
      announce({ kind: 'tools' });
      return 'Announced.';
    },
  }),
  tool({
    name: 'test_trigger_prompt_change',
    description: 'Says that the prompts have changed.',
    run: () => {
      announce({ kind: 'prompts' });
      return 'Announced.';
    },
  }),
  tool({
    name: 'json_schema_2020_12_tool',
    description: 'Has a schema that uses much of JSON Schema 2020-12.',
    input: jsonSchema(CONTACT_SCHEMA),
    run: () => 'The schema is what matters here.',
  }),
];

async function logThrice(call: CallContext<unknown>): Promise<string> {
  call.log('info', 'Tool execution started');
  await pause(50);
  call.log('info', 'Tool processing data');
  await pause(50);
  call.log('info', 'Tool execution completed');
  return 'Logged.';
}

function askUser(call: CallContext<unknown>, message: string, fields: JsonObject): string {
  const { answer } = call.ask({ answer: form(message, fields) });
  return `Elicitation completed: ${JSON.stringify(filledIn(answer) ?? answer)}`;
}

const DEFAULTS: JsonObject = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

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
