import { LOOK_AGAIN_MS, type OfferedExecutor } from '#domain/worker';
import type { RunExecutor } from '#runner/executor';
import type { AgentChanges, ConfiguredExecutor, RunnerConfig } from '#runner/read-config';
import { createAcp } from './acp/acp.ts';
import { runCommand } from './command.ts';
import { createConversation } from './conversation.ts';
import { assume, detect, type KnownVersions, lookForProgram } from './detect.ts';
import type { KnownAgent } from './known/known-agent.ts';
import { KNOWN_AGENTS } from './known-agents.ts';

type ExecutorsConfig = Pick<RunnerConfig, 'executors' | 'agents' | 'runner'>;

export interface ResolvedExecutor {
  /** What people call it. */
  readonly title: string;
  readonly run: RunExecutor;
  readonly argv: readonly string[];
  /** The variables that the operator has set for it. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables of this process that it gets. */
  readonly passes: readonly string[];
  /** How many of its runs may run at once here; null for no limit of its own. */
  readonly max_runs: number | null;
}

export interface Executors {
  /** The configured and the known executors, each with the reason why it cannot run. */
  readonly offers: () => Promise<readonly OfferedExecutor[]>;
  /** The same without waiting: a known agent that was not checked yet counts as ready when it is on the PATH. */
  readonly offersSoFar: () => readonly OfferedExecutor[];
  /** The executor of this name and variant; null for an unknown one. */
  readonly resolve: (name: string, variant: string | null) => ResolvedExecutor | null;
}

interface Options {
  readonly config: ExecutorsConfig;
  /** Whether known agents may run although the operator does not name them. */
  readonly offerKnown: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command that starts Errand's MCP server, for agents that accept no URL. */
  readonly errandArgv: readonly string[];
}

const knownAs = (name: string): KnownAgent | undefined => KNOWN_AGENTS.find((agent) => agent.name === name);

function offerConfigured(name: string, executor: ConfiguredExecutor, path: string | undefined): OfferedExecutor {
  const { kind, command, env, title, variants } = executor;
  const { problem } = lookForProgram(command[0], env.PATH ?? path);
  return {
    executor: name,
    title: title ?? knownAs(name)?.title ?? name,
    kind,
    variants: Object.keys(variants),
    // Asking an unknown program for its version might start it for real.
    version: null,
    is_ready: problem === null,
    problem: problem === null ? null : `${problem} (see config.json in the data folder)`,
  };
}

function resolveKnown(
  agent: KnownAgent,
  variant: string | null,
  errandArgv: readonly string[],
): ResolvedExecutor | null {
  const chosen = variant === null ? {} : agent.variants[variant];
  if (chosen === undefined || (variant !== null && !Object.hasOwn(agent.variants, variant))) return null;
  const { conversation, login, passes, max_runs = null } = agent;
  const run =
    conversation === null
      ? createAcp({ errandArgv, login, mode: chosen.mode ?? null, failure_pattern: agent.failure_pattern ?? null })
      : createConversation(conversation);
  const env = { ...agent.env, ...chosen.env };
  return { title: agent.title, run, argv: [...agent.argv, ...(chosen.args ?? [])], env, passes, max_runs };
}

function resolveConfigured(
  name: string,
  { kind, command, env, title, variants, max_runs }: ConfiguredExecutor,
  { variant, errandArgv }: { readonly variant: string | null; readonly errandArgv: readonly string[] },
): ResolvedExecutor | null {
  const chosen = variant === null ? { args: [], env: {} } : variants[variant];
  if (chosen === undefined || (variant !== null && !Object.hasOwn(variants, variant))) return null;
  const known = knownAs(name);
  const { login = null, failure_pattern = null } = known ?? {};
  return {
    title: title ?? known?.title ?? name,
    run: kind === 'acp' ? createAcp({ errandArgv, login, mode: null, failure_pattern }) : runCommand,
    argv: [...command, ...chosen.args],
    env: { ...known?.env, ...env, ...chosen.env },
    passes: known?.passes ?? [],
    max_runs: max_runs ?? null,
  };
}

/** A known agent with the operator's changes. */
function changed(agent: KnownAgent, { args = [], env, title, variants, max_runs }: AgentChanges): KnownAgent {
  return {
    ...agent,
    argv: [...agent.argv, ...args],
    env: { ...agent.env, ...env },
    variants: { ...agent.variants, ...variants },
    ...(title === undefined ? {} : { title }),
    ...(max_runs === undefined ? {} : { max_runs }),
  };
}

/** The known agents with the operator's changes. One is left out if a program of the operator has its name. */
function knownAgents({ executors, agents }: ExecutorsConfig): readonly KnownAgent[] {
  return KNOWN_AGENTS.filter(({ name }) => !Object.hasOwn(executors, name)).map((agent) => {
    const changes = Object.hasOwn(agents, agent.name) ? agents[agent.name] : undefined;
    return changes === undefined ? agent : changed(agent, changes);
  });
}

/** An installed agent that is not offered because other machines can reach the server. */
const withheld = (offered: OfferedExecutor): OfferedExecutor =>
  offered.is_ready
    ? {
        ...offered,
        is_ready: false,
        problem: `not started while other machines can reach the server: allow it in config.json of the data folder with { "executors": { "${offered.executor}": {} } }, and start the server again`,
      }
    : offered;

/** The executors of this machine. A configured one wins over a known one of the same name. */
export function createExecutors({ config, offerKnown, env, errandArgv }: Options): Executors {
  const configured = Object.entries(config.executors);
  const known = knownAgents(config);
  const isAllowed = (name: string): boolean => offerKnown || Object.hasOwn(config.agents, name);
  let looked: { readonly at: number; readonly found: Promise<readonly OfferedExecutor[]> } | null = null;

  let found: readonly OfferedExecutor[] | null = null;
  const versions: KnownVersions = new Map();
  const offered = (offer: OfferedExecutor): OfferedExecutor => (isAllowed(offer.executor) ? offer : withheld(offer));
  const look = async (): Promise<readonly OfferedExecutor[]> => {
    found = await Promise.all(known.map(async (agent) => offered(await detect(agent, env, versions))));
    return found;
  };
  const offersConfigured = () => configured.map(([name, executor]) => offerConfigured(name, executor, env.PATH));

  return {
    offersSoFar: () => [...offersConfigured(), ...(found ?? known.map((agent) => offered(assume(agent, env))))],
    offers: async () => {
      const now = performance.now();
      if (looked === null || now - looked.at > LOOK_AGAIN_MS) looked = { at: now, found: look() };
      return [...offersConfigured(), ...(await looked.found)];
    },
    resolve: (name, variant) => {
      const own = Object.hasOwn(config.executors, name) ? config.executors[name] : undefined;
      if (own !== undefined) return resolveConfigured(name, own, { variant, errandArgv });
      const agent = isAllowed(name) ? known.find((one) => one.name === name) : undefined;
      return agent === undefined ? null : resolveKnown(agent, variant, errandArgv);
    },
  };
}
