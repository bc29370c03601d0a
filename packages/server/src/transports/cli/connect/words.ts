import { plainLine } from '#transports/cli/board/plain';
import { type Client, cursorLink, type Setup, setupLines } from '#transports/mcp-clients';
import type { Project } from './agent-of.ts';

/** The client, agent and projects of a connection. */
export interface Plan {
  readonly client: Client;
  readonly agent_name: string;
  readonly mcp_url: string;
  readonly is_running: boolean;
  readonly projects: readonly Project[];
  /** Whether the projects are all that exist, not a list that the person named. */
  readonly is_every_project: boolean;
}

const indented = (lines: readonly string[]): string[] => ['', ...lines.map((line) => `  ${line}`), ''];

function reach({ projects, is_every_project }: Plan): string {
  const names = projects.map(({ name }) => plainLine(name)).join(', ');
  return is_every_project
    ? `${names} (every project that exists now; name some with --project to give it fewer)`
    : names;
}

const start = ({ is_running, mcp_url }: Plan): readonly string[] =>
  is_running ? [] : [`No server answers at ${new URL(mcp_url).origin} yet. Start it: errand`];

const until = (expires_at: string | null): string =>
  expires_at === null ? 'works until it is revoked' : `works until ${expires_at.slice(0, 10)}`;

const link = ({ client, mcp_url }: Plan, token: string): readonly string[] =>
  client.name === 'cursor' ? [`Or open this link: ${cursorLink(mcp_url, token)}`] : [];

/** Describes the agent's state: after --undo the agent exists without a valid token. */
function standing(status: string | null): string {
  if (status === null) return 'which would be made';
  return status === 'no_live_token' ? 'which is not connected now and would get a new token' : 'which exists';
}

/** The next commands. `--apply` is refused where the client is not installed. */
function nextSteps({ client }: Plan, is_here: boolean): readonly string[] {
  const print = `Print it with its token:  errand connect ${client.name} --print`;
  if (is_here) return [`Do it:                    errand connect ${client.name} --apply`, print];
  const missing = `${client.title} is not on this machine (no ${client.command} on the PATH), so --apply would fail. Install it first, or use it elsewhere:`;
  return [missing, print];
}

interface Found {
  /** The status of the client's agent; null when there is no agent. */
  readonly status: string | null;
  readonly is_here: boolean;
}

/** Describes what `--apply` would do. */
export const planned = (plan: Plan, setup: Setup, { status, is_here }: Found): readonly string[] => [
  `${plan.client.title} would work as the agent ${JSON.stringify(plan.agent_name)}, ${standing(status)}.`,
  `It would reach ${reach(plan)}.`,
  ...indented(setupLines(setup)),
  'Nothing has been changed.',
  ...nextSteps(plan, is_here),
  ...start(plan),
];

/** The set-up with its token, for the person to paste. */
export const forPasting = (plan: Plan, setup: Setup, { token, expires_at }: Secret): readonly string[] => [
  `${plan.client.title} works as the agent ${JSON.stringify(plan.agent_name)}. Its token is shown this once and ${until(expires_at)}.`,
  `It reaches ${reach(plan)}.`,
  ...indented(setupLines(setup)),
  ...link(plan, token),
  ...start(plan),
];

interface Secret {
  readonly token: string;
  readonly expires_at: string | null;
}

interface Written {
  readonly path: string | null;
  readonly expires_at: string | null;
  readonly is_read_by_others: boolean;
  /** The token when the file leaves it out, so that the client asks for it; else null. */
  readonly token: string | null;
}

/** What was done. */
export const applied = (plan: Plan, { path, expires_at, is_read_by_others, token }: Written): readonly string[] => [
  `${plan.client.title} now knows Errand at ${plan.mcp_url}${path === null ? '' : `: ${path}`}.`,
  `It works as the agent ${JSON.stringify(plan.agent_name)}, whose token ${until(expires_at)}.`,
  `It reaches ${reach(plan)}.`,
  ...(is_read_by_others ? [`Others on this machine can read the token: chmod 600 ${path}`] : []),
  ...(token === null ? [] : [`${plan.client.title} will ask for the token, which is shown this once: ${token}`]),
  `Take it back: errand connect ${plan.client.name} --undo`,
  ...start(plan),
];

interface Undone {
  readonly client: Client;
  readonly agent_name: string;
  /** Null when the client is not on this machine. */
  readonly entry_removed: boolean | null;
  /** How many tokens were valid until now; null when there is no such agent. */
  readonly ended_tokens: number | null;
}

function entryWords({ client, entry_removed }: Undone): string {
  if (entry_removed === null) return `${client.title} is not on this machine: no entry was looked for.`;
  return entry_removed ? `${client.title} no longer knows Errand.` : `${client.title} had no entry for Errand.`;
}

export const undone = (result: Undone): readonly string[] => [
  entryWords(result),
  result.ended_tokens === null
    ? `There is no agent ${JSON.stringify(result.agent_name)}.`
    : `The agent ${JSON.stringify(result.agent_name)} is revoked: ${result.ended_tokens} of its tokens worked until now.`,
];
