import type { OfferedExecutor } from '#domain/worker';
import type { RunExecutor } from '#runner/executor';
import { createAcp } from './acp/acp.ts';
import { runCommand } from './command.ts';
import { createConversation } from './conversation.ts';
import { detect, type KnownVersions, programPath } from './detect.ts';
import type { KnownAgent } from './known/known-agent.ts';
import { KNOWN_AGENTS } from './known-agents.ts';
import type { ConfiguredExecutor, RunnerConfig } from './read-executors.ts';

const LOOK_AGAIN_MS = 30_000;

export interface ResolvedExecutor {
  readonly run: RunExecutor;
  readonly argv: readonly string[];
  /** What the operator has set for it. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables of this process that it may have. */
  readonly passes: readonly string[];
  /** How many of its runs may go on at once here; null for no limit of its own. */
  readonly max_runs: number | null;
}

export interface Executors {
  /** Those that are configured, and those that are known, with what keeps each from running. */
  readonly offers: () => Promise<readonly OfferedExecutor[]>;
  /** Null for a name or a variant that is not there. */
  readonly resolve: (name: string, variant: string | null) => ResolvedExecutor | null;
}

interface Options {
  readonly config: RunnerConfig;
  /** Whether known agents are offered besides. */
  readonly offerKnown: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How Errand's MCP server is started, for agents that take no address. */
  readonly errandArgv: readonly string[];
}

const knownAs = (name: string): KnownAgent | undefined => KNOWN_AGENTS.find((agent) => agent.name === name);

function offerConfigured(name: string, executor: ConfiguredExecutor, path: string | undefined): OfferedExecutor {
  const { kind, command, env, title, variants } = executor;
  const isFound = programPath(command[0], env.PATH ?? path) !== null;
  return {
    executor: name,
    title: title ?? knownAs(name)?.title ?? name,
    kind,
    variants: Object.keys(variants),
    // Asking a program that we do not know for its version might start it in earnest.
    version: null,
    is_ready: isFound,
    problem: isFound ? null : `${command[0]} is not installed or not on the PATH: see config.json in the data folder`,
  };
}

function resolveKnown(
  agent: KnownAgent,
  variant: string | null,
  errandArgv: readonly string[],
): ResolvedExecutor | null {
  const chosen = variant === null ? {} : agent.variants[variant];
  if (chosen === undefined || (variant !== null && !Object.hasOwn(agent.variants, variant))) return null;
  const { conversation, login, passes, env = {} } = agent;
  const run =
    conversation === null
      ? createAcp({ errandArgv, login, mode: chosen.mode ?? null })
      : createConversation(conversation);
  return { run, argv: [...agent.argv, ...(chosen.args ?? [])], env, passes, max_runs: null };
}

function resolveConfigured(
  name: string,
  { kind, command, env, variants, max_runs }: ConfiguredExecutor,
  { variant, errandArgv }: { readonly variant: string | null; readonly errandArgv: readonly string[] },
): ResolvedExecutor | null {
  const chosen = variant === null ? { args: [], env: {} } : variants[variant];
  if (chosen === undefined || (variant !== null && !Object.hasOwn(variants, variant))) return null;
  const known = knownAs(name);
  return {
    run: kind === 'acp' ? createAcp({ errandArgv, login: known?.login ?? null, mode: null }) : runCommand,
    argv: [...command, ...chosen.args],
    env: { ...known?.env, ...env, ...chosen.env },
    passes: known?.passes ?? [],
    max_runs: max_runs ?? null,
  };
}

/** The agents that can be run on this machine. What is configured wins over what is known by the same name. */
export function createExecutors({ config, offerKnown, env, errandArgv }: Options): Executors {
  const configured = Object.entries(config.executors);
  const known = offerKnown ? KNOWN_AGENTS.filter(({ name }) => !Object.hasOwn(config.executors, name)) : [];
  let looked: { readonly at: number; readonly found: Promise<readonly OfferedExecutor[]> } | null = null;

  const versions: KnownVersions = new Map();
  const look = (): Promise<readonly OfferedExecutor[]> =>
    Promise.all(known.map((agent) => detect(agent, env, versions)));

  return {
    offers: async () => {
      const now = performance.now();
      if (looked === null || now - looked.at > LOOK_AGAIN_MS) looked = { at: now, found: look() };
      return [
        ...configured.map(([name, executor]) => offerConfigured(name, executor, env.PATH)),
        ...(await looked.found),
      ];
    },
    resolve: (name, variant) => {
      const own = Object.hasOwn(config.executors, name) ? config.executors[name] : undefined;
      if (own !== undefined) return resolveConfigured(name, own, { variant, errandArgv });
      const agent = known.find((one) => one.name === name);
      return agent === undefined ? null : resolveKnown(agent, variant, errandArgv);
    },
  };
}
