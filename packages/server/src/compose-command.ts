import type { Config } from '#config';
import { ErrandError } from '#errors';
import type { Log } from '#observability/log';
import { AS_OWNER, type Opening, TO_READ, TO_WRITE } from '#store/opening';
import { type Errand, openErrand } from './compose.ts';
import { healthLine, schemaLine } from './compose-health.ts';

/** What a command does to the data: reads it, changes existing data, may create it, or also migrates its schema. */
export type Access = 'read' | 'change' | 'write' | 'own';

export interface CommandNeeds {
  readonly access: Access;
  readonly config: Config;
  readonly log: Log;
  /** Whether a server runs on the same data. */
  readonly isServed: () => Promise<boolean>;
  /** Prints a line for the person at the terminal, beside the answer. */
  readonly notice: (line: string) => void;
}

const OPENINGS: Readonly<Record<Access, Opening>> = {
  read: TO_READ,
  change: TO_READ,
  write: TO_WRITE,
  own: AS_OWNER,
};

/** Opens Errand for a command. Only a command that adds something creates a database; one that reads does not migrate it. */
export async function openForCommand(needs: CommandNeeds): Promise<Errand> {
  const { access, config, log, isServed, notice } = needs;
  const { database } = config;
  const open = (opening: Opening): Promise<Errand> =>
    openErrand(config, log, {
      opening,
      onHealth: (error) => error !== null && notice(healthLine(database, error)),
    });
  const errand = await open(OPENINGS[access]).catch(async (error: unknown) => {
    const isOlder = error instanceof ErrandError && error.code === 'schema_outdated';
    // A server that runs on an older schema is an older program, which cannot use the new schema.
    if (!isOlder || access === 'read' || database.kind !== 'sqlite' || (await isServed())) throw error;
    return open(AS_OWNER);
  });
  const line = access === 'own' ? null : schemaLine(database, errand.schema);
  if (line !== null) notice(line);
  return errand;
}
