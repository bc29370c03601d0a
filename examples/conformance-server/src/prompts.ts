import { embedded, prompt, user } from '@errand/mcp';
import { filledIn, form, pixel } from './content.ts';

const CITIES = ['paris', 'park', 'party'];

const complete = (typed: string) => CITIES.filter((city) => city.startsWith(typed));

export const PROMPTS = [
  prompt({
    name: 'test_simple_prompt',
    description: 'Says one thing.',
    run: () => 'This is a simple prompt for testing.',
  }),
  prompt({
    name: 'test_prompt_with_arguments',
    description: 'Repeats its arguments.',
    arguments: {
      arg1: { description: 'First test argument', required: true, complete },
      arg2: { description: 'Second test argument', required: true },
    },
    run: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  }),
  prompt({
    name: 'test_prompt_with_embedded_resource',
    description: 'Holds a resource.',
    arguments: { resourceUri: { description: 'URI of the resource to embed', required: true } },
    run: ({ resourceUri: uri }) => [
      user(embedded({ uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' })),
      user('Please process the embedded resource above.'),
    ],
  }),
  prompt({
    name: 'test_prompt_with_image',
    description: 'Holds an image.',
    run: () => [user(pixel), user('Please analyze the image above.')],
  }),
  prompt({
    name: 'test_input_required_result_prompt',
    description: 'Asks for its context first.',
    run: (_values, call) => {
      const question = form('What context should the prompt use?', { context: { type: 'string' } });
      const { user_context } = call.ask({ user_context: question });
      return `With this context: ${JSON.stringify(filledIn(user_context))}`;
    },
  }),
];
