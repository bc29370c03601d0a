import { say } from '#advice';
import { ErrandError } from '#errors';
import { projectNamed } from '#transports/cli/board/project';
import { Refused } from '#transports/cli/calls';
import { EXIT, exitCodeOf } from '#transports/cli/exit-code';
import { findClient } from '#transports/cli/find-clients';
import { tellFailure } from '#transports/cli/run-tool';
import { isHealthy } from '#transports/cli/running-server';
import { CLIENT_NAMES, CLIENTS, type Client, setupLines } from '#transports/mcp-clients';
import { type AgentOwner, agentName, findAgent, grantableProjects, issueToken, revokeAgent } from './agent-of.ts';
import { isReadByOthers } from './config-file.ts';
import { applySetup, type ConfigLocation, mustBeEditable, type Outcome, setupIn, undoSetup } from './entry.ts';
import { applied, forPasting, type Plan, planned, undone } from './words.ts';

export interface ConnectOptions extends AgentOwner {
  readonly client: Client;
  /** The address of the server, also when it is not running yet. */
  readonly url: string;
  /** `show` changes nothing, `print` shows a token, `apply` writes it into the client's configuration. */
  readonly mode: 'show' | 'print' | 'apply' | 'undo';
  /** The projects as typed; null for all that exist. */
  readonly projects: readonly string[] | null;
  readonly machine: string;
  readonly place: ConfigLocation;
  readonly json: boolean;
  readonly print: (text: string) => void;
}

/** The placeholder while there is no token. */
const TOKEN = 'TOKEN';

export function clientNamed(name: string): Client {
  const client = CLIENTS.find((known) => known.name === name);
  if (client !== undefined) return client;
  throw new ErrandError('validation_error', `There is no client ${JSON.stringify(name)} that Errand knows.`, {
    hint: say`Name one of these: ${CLIENT_NAMES}. Any other MCP client takes the address and a token: ${{ command: 'agent create' }} --help`,
  });
}

/** Returns the address of a server as a URL. Checked before an agent is created. */
export function serverAddress(typed: string): string {
  const { protocol, href, search, hash } = URL.parse(typed) ?? {};
  if (href !== undefined && /^https?:$/.test(protocol ?? '') && !search && !hash) return href.replace(/\/+$/, '');
  throw new ErrandError('validation_error', `--url takes an address such as http://127.0.0.1:8080, not ${typed}.`);
}

interface ModeFlags {
  readonly apply?: boolean;
  readonly print?: boolean;
  readonly undo?: boolean;
  readonly projectFile: boolean;
}

/** Returns the mode. Refuses two modes at once, and a file that the client does not have. */
export function modeOf(client: Client, { apply, print, undo, projectFile }: ModeFlags): ConnectOptions['mode'] {
  const [mode, ...others] = [apply && 'apply', print && 'print', undo && 'undo'].filter(
    (given): given is Exclude<ConnectOptions['mode'], 'show'> => typeof given === 'string',
  );
  if (others.length > 0) throw new ErrandError('validation_error', 'Give one of --apply, --print and --undo.');
  if (projectFile && client.name !== 'vscode') {
    throw new ErrandError('validation_error', `--project-file is for vscode, not for ${client.name}.`);
  }
  return mode ?? 'show';
}

const isHere = async ({ client, place }: ConnectOptions): Promise<boolean> =>
  (await findClient(client, place)) !== null;

async function mustBeHere(options: ConnectOptions): Promise<void> {
  const { client } = options;
  if (await isHere(options)) return;
  throw new ErrandError('not_found', `${client.title} is not on this machine: no ${client.command} on the PATH.`, {
    hint: say`Install ${client.title}, or run ${{ command: 'connect' }} ${client.name} --print for another machine.`,
  });
}

async function planOf(options: ConnectOptions): Promise<Plan> {
  const { client, machine, url, projects: typed } = options;
  const known = await grantableProjects(options);
  return {
    client,
    agent_name: agentName(client.name, machine),
    mcp_url: `${url}/mcp`,
    is_running: await isHealthy(url),
    projects: typed === null ? known : [...new Set(typed.map((text) => projectNamed(known, text)))],
    is_every_project: typed === null,
  };
}

const asJson = ({ client, agent_name, mcp_url, is_running, projects }: Plan, more: object): string =>
  JSON.stringify({
    client: client.name,
    agent_name,
    mcp_url,
    server_running: is_running,
    projects: projects.map(({ project_id, name }) => ({ project_id, name })),
    ...more,
  });

async function show(options: ConnectOptions): Promise<number> {
  const { client, place, json, print } = options;
  const plan = await planOf(options);
  const setup = setupIn(client, place, { mcp_url: plan.mcp_url, token: TOKEN });
  const agent = await findAgent(options, plan.agent_name);
  const agent_id = agent?.agent_id ?? null;
  if (json) print(asJson(plan, { agent_id, setup: setupLines(setup), applied: false }));
  else print(planned(plan, setup, { status: agent?.status ?? null, is_here: await isHere(options) }).join('\n'));
  return EXIT.ok;
}

/** Issues a new token for the client's agent, and returns the set-up that holds it. */
async function issue(options: ConnectOptions, plan: Plan) {
  const ids = plan.projects.map(({ project_id }) => project_id);
  const issued = await issueToken(options, plan.agent_name, ids);
  return { issued, setup: setupIn(options.client, options.place, { mcp_url: plan.mcp_url, token: issued.token }) };
}

async function printToken(options: ConnectOptions): Promise<number> {
  const plan = await planOf(options);
  const { issued, setup } = await issue(options, plan);
  const { json, print } = options;
  if (json) print(asJson(plan, { ...issued, setup: setupLines(setup), applied: false }));
  else print(forPasting(plan, setup, issued).join('\n'));
  return EXIT.ok;
}

/** The client's output when its own command failed, and the command with its token, for the person to run. */
function refusedByClient(plan: Plan, { command, run }: Extract<Outcome, { done: false }>): readonly string[] {
  return [
    run.said,
    `${command[0]} ended with ${run.code}, so ${plan.client.title} does not know Errand. Run it yourself:`,
    '',
    ...setupLines({ kind: 'command', argv: command, undo: [] }).map((line) => `  ${line}`),
  ];
}

async function apply(options: ConnectOptions): Promise<number> {
  const { client, place, json, print } = options;
  await mustBeHere(options);
  const plan = await planOf(options);
  await mustBeEditable(client, place, setupIn(client, place, { mcp_url: plan.mcp_url, token: TOKEN }));
  const { issued, setup } = await issue(options, plan);
  const outcome = await applySetup(client, place, setup);
  const { agent_id, token_id, token, expires_at } = issued;
  const summary = { agent_id, token_id, expires_at, applied: outcome.done };
  if (!outcome.done) {
    print(json ? asJson(plan, { ...summary, setup: setupLines(setup) }) : refusedByClient(plan, outcome).join('\n'));
    return EXIT.failed;
  }

  const { path } = outcome;
  const asked = place.project_folder === null ? null : token;
  const is_read_by_others = path !== null && asked === null && (await isReadByOthers(path));
  if (json) print(asJson(plan, { ...summary, path, ...(asked !== null && { token: asked }) }));
  else print(applied(plan, { path, expires_at, is_read_by_others, token: asked }).join('\n'));
  return EXIT.ok;
}

async function undo(options: ConnectOptions): Promise<number> {
  const { client, place, machine, url, json, print } = options;
  const agent_name = agentName(client.name, machine);
  const setup = setupIn(client, place, { mcp_url: `${url}/mcp`, token: TOKEN });
  const canLook = setup.kind === 'file' || (await isHere(options));
  const entry_removed = canLook ? await undoSetup(client, place, setup) : null;
  const agent_id = (await findAgent(options, agent_name))?.agent_id ?? null;
  const ended_tokens = agent_id === null ? null : await revokeAgent(options, agent_id);
  if (json) print(JSON.stringify({ client: client.name, agent_name, agent_id, entry_removed, ended_tokens }));
  else print(undone({ client, agent_name, entry_removed, ended_tokens }).join('\n'));
  return EXIT.ok;
}

/** What a person asks for: the agent's owner may be left to the server. */
export type Connection = Omit<ConnectOptions, 'owner_id'> & { readonly owner_id: string | null };

/** The person for whom the agent works: on a server elsewhere it is the one whose token is sent. */
const ownerOf = async ({ owner_id, calls }: Connection): Promise<string> =>
  owner_id ?? (await calls.ask('admin', 'show_workspace', {})).user_id;

const MODES = { show, print: printToken, apply, undo };

/** Connects a client: one agent per client and machine, and one entry in the client's configuration. */
export async function connect(options: Connection): Promise<number> {
  try {
    return await MODES[options.mode]({ ...options, owner_id: await ownerOf(options) });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    tellFailure(error.error, options.json);
    return exitCodeOf(error.status);
  }
}
