import { spawn } from 'node:child_process';
import { ErrandError } from '#errors';
import type { Call, Gateway } from '#gateway/gateway';
import type { createAgent } from '#tools/admin/create-agent';
import { askTool } from '#transports/ask-tool';
import { CLIENT_NAMES, CLIENTS, type Client, type Setup, setupLines } from '#transports/clients';
import { EVERYDAY_SCOPES } from './everyday-scopes.ts';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { type FoundClient, findClients, nameAndVersion } from './find-clients.ts';
import { isHealthy } from './instance.ts';
import { tellFailure } from './run-tool.ts';

type NewAgent = NonNullable<(typeof createAgent)['types']>['output'];

export interface ConnectOptions {
  readonly gateway: Gateway;
  readonly caller: Call['caller'];
  /** Whom the agent works for, and where. */
  readonly owner_id: string;
  readonly inbox_id: string;
  readonly client: Client;
  /** Where the server is, or will be once it is started. */
  readonly url: string;
  readonly apply: boolean;
  readonly json: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly print: (text: string) => void;
}

interface Connected {
  readonly client: Client;
  readonly agent: NewAgent;
  readonly setup: Setup;
  readonly mcp_url: string;
  readonly is_running: boolean;
  /** The exit code of the client's own command; null when it was not run. */
  readonly applied: number | null;
}

export function clientNamed(name: string): Client {
  const client = CLIENTS.find(({ command }) => command === name);
  if (client !== undefined) return client;
  throw new ErrandError('validation_error', `There is no client ${JSON.stringify(name)} that Errand knows.`, {
    hint: `Name one of these: ${CLIENT_NAMES}. Any other MCP client takes the address and a token: errand agent create --help`,
  });
}

/** The address of a server as someone typed it. Checked before anything is made: an agent that nobody can use would only be litter. */
export function serverAddress(typed: string): string {
  const { protocol, href, search, hash } = URL.parse(typed) ?? {};
  if (href !== undefined && /^https?:$/.test(protocol ?? '') && !search && !hash) return href.replace(/\/+$/, '');
  throw new ErrandError('validation_error', `--url takes an address such as http://127.0.0.1:8080, not ${typed}.`);
}

function listing(found: readonly FoundClient[]): readonly string[] {
  const [first] = found;
  if (first === undefined) {
    return [
      `No agent that Errand knows is on the PATH (${CLIENT_NAMES}).`,
      'Install one of them, or give any MCP client the address and a token: errand agent create --help',
    ];
  }
  return [
    'Found on this machine:',
    ...found.map((client) => `  ${client.command.padEnd(10)}${nameAndVersion(client)}`),
    `Connect one: errand connect ${first.command}`,
  ];
}

/** Says which clients there are. */
export async function listClients({
  env,
  json,
  print,
}: Pick<ConnectOptions, 'env' | 'json' | 'print'>): Promise<number> {
  const found = await findClients(env);
  const clients = found.map(({ command, title, version }) => ({ client: command, title, version }));
  print(json ? JSON.stringify({ clients }) : listing(found).join('\n'));
  return EXIT.ok;
}

const makeAgent = ({ gateway, caller, owner_id, inbox_id, client }: ConnectOptions) =>
  askTool(gateway, {
    profile: 'admin',
    name: 'create_agent',
    caller,
    input: { name: client.command, owner_id, project_ids: [inbox_id], scopes: [...EVERYDAY_SCOPES] },
    transport: 'cli',
  });

/** Runs the client's own command, without a shell; its words go to stderr, so that stdout stays ours. */
function run({ argv: [command = '', ...args] }: Setup, env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 2, 2] });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? EXIT.failed));
  });
}

const asJson = ({ client, agent, setup, mcp_url, is_running, applied }: Connected): string =>
  JSON.stringify({
    client: client.command,
    ...agent,
    mcp_url,
    server_running: is_running,
    command: setup.argv,
    env: setup.env,
    applied: applied === EXIT.ok,
  });

function asText({ client, agent, setup, mcp_url, is_running, applied }: Connected): readonly string[] {
  const lines = setupLines(setup);
  const until =
    agent.expires_at === null ? 'works until it is revoked' : `works until ${agent.expires_at.slice(0, 10)}`;
  const left = applied === EXIT.ok ? lines.slice(1) : lines;
  return [
    `${client.title} has an agent of its own, ${client.command}. Its token ${left.length > 0 ? 'is shown this once and ' : ''}${until}.`,
    ...(applied === EXIT.ok ? [`${client.title} now knows Errand at ${mcp_url}.`] : []),
    ...(applied !== null && applied !== EXIT.ok ? [`${client.command} ended with ${applied}. Run it yourself:`] : []),
    ...(left.length > 0 ? ['', ...left.map((line) => `  ${line}`), ''] : []),
    ...(is_running ? [] : [`No server answers at ${new URL(mcp_url).origin} yet. Start it: errand`]),
  ];
}

/** Gives a client its own agent and token, and says (or does) what makes it known to the client. */
export async function connect(options: ConnectOptions): Promise<number> {
  const { client, url, apply, json, env, print } = options;
  // Before anything is made: an agent that nobody can use would only be litter.
  if (apply && !(await findClients(env)).some(({ command }) => command === client.command)) {
    throw new ErrandError('not_found', `${client.command} is not on the PATH.`, {
      hint: `Install ${client.title}, or leave out --apply to see the command for another machine.`,
    });
  }
  const made = await makeAgent(options);
  if (!made.ok) {
    tellFailure(made.error, json);
    return exitCodeOf(made.status);
  }

  const agent = made.value;
  const mcp_url = `${url}/mcp`;
  const setup = client.setup(mcp_url, agent.token);
  const applied = apply ? await run(setup, env) : null;
  const connected = { client, agent, setup, mcp_url, is_running: await isHealthy(url), applied };
  print(json ? asJson(connected) : asText(connected).join('\n'));
  return applied === null || applied === EXIT.ok ? EXIT.ok : EXIT.failed;
}
