import { z } from 'zod';
import type { Call, Gateway } from '#gateway/gateway';
import { PROFILES, type ProfileName } from '#tools/profiles';
import { createWording, isForAgents, nameIn } from '#transports/mcp/catalog-wording';
import { CLIENTS, cursorLink, serverEntry, setupLines, vscodeProject } from '#transports/mcp-clients';
import { agentsMd } from './agents-md.ts';

/** The placeholder for the token. The answer ends up in files and chats, so it never contains the token itself. */
const TOKEN = '<agent-token>';

const ServerEntry = z
  .object({
    type: z.literal('http').describe('How it is reached.'),
    url: z.string().describe('The address of the MCP server, as this request found it.'),
    headers: z
      .object({ Authorization: z.string().describe(`The bearer token, with ${TOKEN} in its place.`) })
      .describe('Sent with every request.'),
  })
  .describe('Errand as a server over HTTP.');

export const Setup = z.object({
  mcp: z
    .object({
      url: z.string().describe('Every tool that the token allows.'),
      profiles: z
        .array(
          z.object({
            profile: z.string().describe('Its name.'),
            title: z.string().describe('Its name for people.'),
            url: z.string().describe('Where only the tools of this profile are.'),
          }),
        )
        .describe('The profiles of which the token allows a tool.'),
      config: z
        .object({
          mcpServers: z.object({ errand: ServerEntry }).describe('Servers by name.'),
        })
        .describe('For clients that keep their servers in JSON.'),
    })
    .describe('Where and how an MCP client connects.'),
  tools: z
    .array(
      z.object({
        name: z.string().describe('The name to call it by.'),
        title: z.string().describe('Its name for people.'),
        description: z.string().describe('What it does.'),
      }),
    )
    .describe('What this token may call: the same as tools/list at the MCP address.'),
  instructions: z.string().describe('What a client is told when it connects at the MCP address.'),
  agents_md: z
    .string()
    .describe('Operating rules for AGENTS.md, between markers: put in place of an earlier text between them.'),
  clients: z
    .array(
      z.object({
        client: z.string().describe('What `errand connect` calls it.'),
        title: z.string().describe('Its name for people.'),
        commands: z
          .array(z.string())
          .describe(
            `A line for a shell, or a comment that names a file and what belongs into it, with ${TOKEN} in place of the token.`,
          ),
      }),
    )
    .describe('How the clients that Errand knows are connected.'),
  cursor_link: z.string().describe(`Opens Cursor and adds the server; ${TOKEN} is to be replaced there.`),
  vscode: z
    .object({
      inputs: z
        .array(z.record(z.string(), z.unknown()))
        .describe('What VS Code asks for: the token, which it keeps out of the file.'),
      servers: z.object({ errand: ServerEntry }).describe('Servers by name.'),
    })
    .describe('The contents of .vscode/mcp.json.'),
});

export type Setup = z.infer<typeof Setup>;

interface SetupParts {
  readonly gateway: Pick<Gateway, 'visible'>;
  /** The profile of `/mcp` itself. */
  readonly profile: ProfileName | 'all';
}

/**
 * The caller as an agent with these scopes, for people who look at what an agent would see. It never has more than the
 * caller; without names it is the caller.
 */
export function asAgentWith(caller: Call['caller'], named: string | null): Call['caller'] {
  if (named === null) return caller;
  const wanted = new Set<string>(named.split(','));
  const scopes = new Set([...caller.scopes].filter((scope) => wanted.has(scope)));
  return { ...caller, scopes, scope_key: `as an agent: ${[...scopes].toSorted().join(',')}` };
}

/** Makes the set-up of an agent for the holder of its token: how to connect, its tools and its operating rules. */
export function createSetup({ gateway, profile }: SetupParts) {
  const wording = createWording(profile);
  const visible = (caller: Call['caller'], of: ProfileName | 'all') => gateway.visible(caller, of).filter(isForAgents);

  return (caller: Call['caller'], origin: string): Setup => {
    const listed = visible(caller, profile);
    const profiles = [...new Set(visible(caller, 'all').map((tool) => tool.profile))];
    const url = `${origin}/mcp`;
    return {
      mcp: {
        url,
        profiles: profiles.map((name) => ({ profile: name, title: PROFILES[name].title, url: `${url}/${name}` })),
        config: { mcpServers: { errand: serverEntry(url, TOKEN) } },
      },
      tools: listed.map((tool) => ({
        name: nameIn(profile, tool),
        title: tool.title,
        description: tool.description,
      })),
      instructions: wording.instructions(gateway.visible(caller, profile)),
      agents_md: agentsMd(listed, wording),
      clients: CLIENTS.map(({ name, title, setup }) => ({
        client: name,
        title,
        commands: [...setupLines(setup(url, TOKEN))],
      })),
      cursor_link: cursorLink(url, TOKEN),
      vscode: vscodeProject(url).file,
    };
  };
}
