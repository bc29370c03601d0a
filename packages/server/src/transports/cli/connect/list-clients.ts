import { EXIT } from '#transports/cli/exit-code';
import { type FoundClient, findClients, nameAndVersion } from '#transports/cli/find-clients';
import { CLIENT_NAMES, type Machine } from '#transports/mcp-clients';

interface Listing {
  readonly machine: Machine;
  readonly json: boolean;
  readonly print: (text: string) => void;
}

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

/** Says which clients are on this machine. */
export async function listClients({ machine, json, print }: Listing): Promise<number> {
  const found = await findClients(machine);
  const clients = found.map(({ name, title, version }) => ({ client: name, title, version }));
  print(json ? JSON.stringify({ clients }) : linesOf(found).join('\n'));
  return EXIT.ok;
}
