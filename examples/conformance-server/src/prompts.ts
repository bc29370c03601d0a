import type { CallContext, InputRequired, JsonObject, PromptMessages, PromptPart } from '@errand/mcp';
import { asks, filledIn, form, image, text } from './content.ts';
import type { FixtureCaller } from './tools.ts';

interface FixturePrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments?: readonly JsonObject[];
  readonly get: (args: JsonObject, call: CallContext<FixtureCaller>) => PromptMessages | InputRequired;
}

const user = (...contents: readonly JsonObject[]): PromptMessages => ({
  kind: 'messages',
  messages: contents.map((content) => ({ role: 'user', content })),
});

const PROMPTS: readonly FixturePrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'Says one thing.',
    get: () => user(text('This is a simple prompt for testing.')),
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'Repeats its arguments.',
    arguments: [
      { name: 'arg1', description: 'First test argument', required: true },
      { name: 'arg2', description: 'Second test argument', required: true },
    ],
    get: ({ arg1, arg2 }: { readonly arg1?: unknown; readonly arg2?: unknown }) =>
      user(text(`Prompt with arguments: arg1='${String(arg1)}', arg2='${String(arg2)}'`)),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'Holds a resource.',
    arguments: [{ name: 'resourceUri', description: 'URI of the resource to embed', required: true }],
    get: ({ resourceUri }: { readonly resourceUri?: unknown }) =>
      user(
        {
          type: 'resource',
          resource: {
            uri: String(resourceUri),
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
        text('Please process the embedded resource above.'),
      ),
  },
  {
    name: 'test_prompt_with_image',
    description: 'Holds an image.',
    get: () => user(image, text('Please analyze the image above.')),
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'Asks for its context first.',
    get: (_args, { input_responses }) => {
      const { user_context }: { readonly user_context?: unknown } = input_responses;
      const filled = filledIn(user_context);
      if (filled !== undefined) return user(text(`With this context: ${JSON.stringify(filled)}`));
      return asks({ user_context: form('What context should the prompt use?', { context: { type: 'string' } }) });
    },
  },
];

const LISTED = PROMPTS.map(({ get, ...listed }) => listed);

export const prompts: PromptPart<FixtureCaller> = {
  list: () => LISTED,
  get: (name, args, call) => {
    const prompt = PROMPTS.find((candidate) => candidate.name === name);
    return prompt === undefined ? undefined : Promise.resolve(prompt.get(args, call));
  },
};
