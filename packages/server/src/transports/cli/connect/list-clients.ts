import { say } from '#advice';
import { ErrandError } from '#errors';
import { EXIT } from '#transports/cli/exit-code';
import { type FoundClient, findClients, nameAndVersion } from '#transports/cli/find-clients';
import { CLIENT_NAMES, type Machine } from '#transports/mcp-clients';

interface Listing {
  readonly machine: Machine;
  readonly json: boolean;
  readonly print: (text: string) => void;
}

const OF_A_CLIENT = [
  ['apply', '--apply'],
  ['print', '--print'],
  ['undo', '--undo'],
  ['project', '--project'],
  ['projectFile', '--project-file'],
  ['url', '--url'],
] as const;

function linesOf(found: readonly FoundClient[]): readonly string[] {
  const [first] = found;
  if (first === undefined) {
    return [
      `No agent that Errand knows is on this machine (${CLIENT_NAMES}).`,
      'Install one of them, or give any MCP client the address and a token: errand agent create --help',
    ];
  }
  return [
    'Found on this machine:',
    ...found.map((client) => `  ${client.name.padEnd(10)}${nameAndVersion(client)}`),
    `Connect one: errand connect ${first.name} --apply`,
  ];
}

/** Refuses the flags of a connection when no client is named: they have no meaning for a list. */
export function mustNameClient(flags: Readonly<Record<string, unknown>>): void {
  const given = OF_A_CLIENT.filter(([name]) => flags[name] !== undefined && flags[name] !== false);
  if (given.length === 0) return;
  throw new ErrandError('validation_error', `Name the client for ${given.map(([, flag]) => flag).join(', ')}.`, {
    hint: say`It is one of ${CLIENT_NAMES}, such as: ${{ command: 'connect' }} claude --apply. Those on this machine: ${{ command: 'connect' }}`,
  });
}

/** Lists the clients that are on this machine. */
export async function listClients({ machine, json, print }: Listing): Promise<number> {
  const found = await findClients(machine);
  const clients = found.map(({ name, title, version }) => ({ client: name, title, version }));
  print(json ? JSON.stringify({ clients }) : linesOf(found).join('\n'));
  return EXIT.ok;
}
