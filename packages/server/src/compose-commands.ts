import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { type Config, readConfig, readServer } from '#config';
import type { Gateway } from '#gateway/gateway';
import type { Log } from '#observability/log';
import { catalog } from '#tools/catalog';
import { commandPlace } from '#transports/cli/command-place';
import { openCommandSocket } from '#transports/cli/command-socket';
import { loginPath, readLogin } from '#transports/cli/login-file';
import type { TypedNeeds } from '#transports/cli/run-typed';

/** The settings that decide what a call does. */
const rulesOf = ({ data, database, plane, limits, client_session_limits, allow_anonymous }: Config): string =>
  JSON.stringify([data, database, plane, limits, client_session_limits, allow_anonymous]);

/** Finds the token of a command in the environment that typed it; null where its settings are other ones than the server's. */
export const createTokenThere =
  (own: Config): TypedNeeds['tokenThere'] =>
  (env, { data, databaseUrl }) => {
    const flags = { data, database_url: databaseUrl };
    const login = () => readLogin(loginPath({ env, home: env.HOME || homedir() }));
    if (readServer(env, flags, login) !== null) return null;
    const config = readConfig(env, flags);
    return rulesOf(config) === rulesOf(own) ? { token: config.token } : null;
  };

interface CommandNeeds {
  readonly gateway: Gateway;
  readonly version: string;
  readonly log: Log;
}

/** Runs the commands that are typed on this machine, where the data folder has the database in it. */
export async function openCommands(
  config: Config,
  { gateway, version, log }: CommandNeeds,
): Promise<() => Promise<void>> {
  const { data, database } = config;
  // A worker on this database hides the folder beside it from its agents, whatever its own data folder is.
  if (database.kind !== 'sqlite' || dirname(database.path) !== data) return async () => undefined;
  const report = (error: unknown): void => log.warn('commands run without this server', { error });
  const tokenThere = createTokenThere(config);
  return openCommandSocket({ place: commandPlace(data), gateway, tools: catalog, version, tokenThere, report });
}
