import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type CallContext,
  INVALID_PARAMS,
  type InputRequest,
  inputRequired,
  isObject,
  RpcError,
  roots,
  type Tool,
  tool,
} from '@errand/mcp';
import { filledIn, form, sample, sampledText } from './content.ts';
import type { FixtureCaller } from './tools.ts';

const SECRET = randomBytes(32);

const sign = (state: string): string => createHmac('sha256', SECRET).update(state).digest('base64url');
const sealed = (state: string): string => `${state}.${sign(state)}`;

/** Checks the state that we gave out. It came through the client, so a changed one is refused. */
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

/** Answers when the client returns the state with a confirmation. */
function confirmWithState(_input: unknown, { input_responses, request_state }: CallContext<FixtureCaller>) {
  const state = unsealed(request_state);
  const { confirm: answer }: { readonly confirm?: unknown } = input_responses;
  if (filledIn(answer) !== undefined && state === 'confirming') return 'state-ok';
  return inputRequired({ confirm }, sealed('confirming'));
}

/** Tools that need an answer of the client first. */
export const INPUT_TOOLS: readonly Tool<FixtureCaller>[] = [
  tool({
    name: 'test_input_required_result_elicitation',
    description: 'Greets the user by name.',
    run: (_input, { input_responses }) => {
      const name = nameIn(input_responses, 'user_name');
      return name === undefined ? inputRequired({ user_name: askName }) : `Hello, ${name}!`;
    },
  }),
  tool({
    name: 'test_input_required_result_sampling',
    description: 'Asks the model a question.',
    run: (_input, call) => {
      const question = sample('What is the capital of France?', 100);
      return sampledText(call.ask({ capital_question: question }).capital_question);
    },
  }),
  tool({
    name: 'test_input_required_result_list_roots',
    description: 'Names the roots of the client.',
    run: (_input, call) => JSON.stringify(call.ask({ client_roots: roots }).client_roots),
  }),
  tool({
    name: 'test_input_required_result_request_state',
    description: 'Checks that its state comes back.',
    run: confirmWithState,
  }),
  tool({
    name: 'test_input_required_result_tampered_state',
    description: 'Refuses a state that is not its own.',
    run: confirmWithState,
  }),
  tool({
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks the user, the model and the client at once.',
    run: (_input, { input_responses, request_state }) => {
      const asked = unsealed(request_state) === 'asked';
      const { greeting, client_roots }: { readonly greeting?: unknown; readonly client_roots?: unknown } =
        input_responses;
      const name = nameIn(input_responses, 'user_name');
      const said = sampledText(greeting);
      if (!asked || name === undefined || said === undefined || !isObject(client_roots)) {
        const questions = { user_name: askName, greeting: sample('Generate a greeting', 50), client_roots: roots };
        return inputRequired(questions, sealed('asked'));
      }
      return `${said} ${name}, ${JSON.stringify(client_roots)}`;
    },
  }),
  tool({
    name: 'test_input_required_result_multi_round',
    description: 'Asks one thing after the other.',
    run: (_input, call) => {
      call.ask({ step1: form('Step 1: What is your name?', { name: { type: 'string' } }) });
      call.ask({ step2: form('Step 2: What is your favorite color?', { color: { type: 'string' } }) });
      return 'Both steps are done.';
    },
  }),
  tool({
    name: 'test_input_required_result_capabilities',
    description: 'Asks only for what the client can do.',
    run: (_input, { input_responses, client_capabilities }) => {
      if (Object.keys(input_responses).length > 0) return 'Thank you.';
      const { elicitation, sampling }: { readonly elicitation?: unknown; readonly sampling?: unknown } =
        client_capabilities;
      const questions: Record<string, InputRequest> = {
        ...(isObject(sampling) && { greeting: sample('Generate a greeting', 50) }),
        ...(isObject(elicitation) && { user_name: askName }),
      };
      return Object.keys(questions).length === 0 ? 'Nothing to ask.' : inputRequired(questions);
    },
  }),
];
