import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { InputRequest } from '@errand/mcp';
import { INVALID_PARAMS, isObject, RpcError } from '@errand/mcp';
import { asks, filledIn, form, roots, sample, sampledText, says, text } from './content.ts';
import { type FixtureTool, NO_INPUT } from './tools.ts';

const SECRET = randomBytes(32);

const sign = (state: string): string => createHmac('sha256', SECRET).update(state).digest('base64url');
const sealed = (state: string): string => `${state}.${sign(state)}`;

/** The state as we gave it out. It came through the client, so anything else is refused. */
function unsealed(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const cut = given.lastIndexOf('.');
  const [state, signature] = [given.slice(0, cut), Buffer.from(given.slice(cut + 1))];
  const expected = Buffer.from(sign(state));
  if (signature.length === expected.length && timingSafeEqual(signature, expected)) return state;
  throw new RpcError(INVALID_PARAMS, 'requestState is not what the server gave out.');
}

const askName = form('What is your name?', { name: { type: 'string' } });
const confirm = form('Please confirm', { ok: { type: 'boolean' } });

type Responses = Readonly<Record<string, unknown>>;

const nameIn = (responses: Responses, key: string): string | undefined => {
  const { name }: { readonly name?: unknown } = filledIn(responses[key]) ?? {};
  return typeof name === 'string' ? name : undefined;
};

/** Answers once its own state has come back with a confirmation. */
const confirmWithState: FixtureTool['run'] = async (_args, { input_responses, request_state }) => {
  const state = unsealed(request_state);
  const { confirm: answer }: { readonly confirm?: unknown } = input_responses;
  if (filledIn(answer) === undefined || state !== 'confirming') return asks({ confirm }, sealed('confirming'));
  return says(text('state-ok'));
};

/** Tools that cannot answer before the client has. */
export const INPUT_TOOLS: readonly FixtureTool[] = [
  {
    name: 'test_input_required_result_elicitation',
    description: 'Greets the user by name.',
    inputSchema: NO_INPUT,
    run: async (_args, { input_responses }) => {
      const name = nameIn(input_responses, 'user_name');
      return name === undefined ? asks({ user_name: askName }) : says(text(`Hello, ${name}!`));
    },
  },
  {
    name: 'test_input_required_result_sampling',
    description: 'Asks the model a question.',
    inputSchema: NO_INPUT,
    run: async (_args, { input_responses }) => {
      const { capital_question }: { readonly capital_question?: unknown } = input_responses;
      const answer = sampledText(capital_question);
      if (answer === undefined) return asks({ capital_question: sample('What is the capital of France?', 100) });
      return says(text(answer));
    },
  },
  {
    name: 'test_input_required_result_list_roots',
    description: 'Names the roots of the client.',
    inputSchema: NO_INPUT,
    run: async (_args, { input_responses }) => {
      const { client_roots }: { readonly client_roots?: unknown } = input_responses;
      return isObject(client_roots) ? says(text(JSON.stringify(client_roots))) : asks({ client_roots: roots });
    },
  },
  {
    name: 'test_input_required_result_request_state',
    description: 'Checks that its state comes back.',
    inputSchema: NO_INPUT,
    run: confirmWithState,
  },
  {
    name: 'test_input_required_result_tampered_state',
    description: 'Refuses a state that is not its own.',
    inputSchema: NO_INPUT,
    run: confirmWithState,
  },
  {
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks the user, the model and the client at once.',
    inputSchema: NO_INPUT,
    run: async (_args, { input_responses, request_state }) => {
      const asked = unsealed(request_state) === 'asked';
      const { greeting, client_roots }: { readonly greeting?: unknown; readonly client_roots?: unknown } =
        input_responses;
      const name = nameIn(input_responses, 'user_name');
      const said = sampledText(greeting);
      if (!asked || name === undefined || said === undefined || !isObject(client_roots)) {
        const questions = { user_name: askName, greeting: sample('Generate a greeting', 50), client_roots: roots };
        return asks(questions, sealed('asked'));
      }
      return says(text(`${said} ${name}, ${JSON.stringify(client_roots)}`));
    },
  },
  {
    name: 'test_input_required_result_multi_round',
    description: 'Asks one thing after the other.',
    inputSchema: NO_INPUT,
    run: async (_args, { input_responses, request_state }) => {
      const state = unsealed(request_state);
      const { step1, step2 }: { readonly step1?: unknown; readonly step2?: unknown } = input_responses;
      if (state === 'colour' && filledIn(step2) !== undefined) return says(text('Both steps are done.'));
      if (state === undefined || filledIn(step1) === undefined) {
        return asks({ step1: form('Step 1: What is your name?', { name: { type: 'string' } }) }, sealed('name'));
      }
      const question = form('Step 2: What is your favorite color?', { color: { type: 'string' } });
      return asks({ step2: question }, sealed('colour'));
    },
  },
  {
    name: 'test_input_required_result_capabilities',
    description: 'Asks only for what the client can do.',
    inputSchema: NO_INPUT,
    run: async (_args, { input_responses, client_capabilities }) => {
      if (Object.keys(input_responses).length > 0) return says(text('Thank you.'));
      const { elicitation, sampling }: { readonly elicitation?: unknown; readonly sampling?: unknown } =
        client_capabilities;
      const questions: Record<string, InputRequest> = {
        ...(isObject(sampling) && { greeting: sample('Generate a greeting', 50) }),
        ...(isObject(elicitation) && { user_name: askName }),
      };
      return Object.keys(questions).length === 0 ? says(text('Nothing to ask.')) : asks(questions);
    },
  },
];
