import { type ClientContext, type McpServer, methods, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { Job, RunSink } from '#runner/executor';
import { cleanText, cutText } from '#runner/executors/clean-text';
import { FRESH_SESSION } from '#runner/executors/fresh-session';
import { BrokenProtocol } from './stream.ts';

const AUTH_REQUIRED = -32_000;

const Hello = z.object({
  protocolVersion: z.number(),
  agentInfo: z.object({ name: z.string(), version: z.string().optional() }).nullish().catch(null),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().optional(),
      mcpCapabilities: z.object({ http: z.boolean().optional() }).nullish(),
      sessionCapabilities: z.object({ resume: z.unknown().optional() }).nullish(),
    })
    .nullish(),
});
export type Hello = z.infer<typeof Hello>;
const Opened = z.object({ sessionId: z.string().min(1).max(200) });

export const isAuthRequired = (error: unknown): boolean =>
  error instanceof RequestError && error.code === AUTH_REQUIRED;

/** Negotiates the protocol with the agent. */
export async function greet(agent: ClientContext, sink: RunSink): Promise<Hello> {
  const said: unknown = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'errand', title: 'Errand', version: '1' },
    clientCapabilities: {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      elicitation: { form: {} },
    },
  });
  const hello = Hello.safeParse(said);
  if (!hello.success) throw new BrokenProtocol('it answers initialize with something else than ACP asks for');
  const { protocolVersion, agentInfo } = hello.data;
  if (protocolVersion !== PROTOCOL_VERSION) {
    throw new BrokenProtocol(`it speaks version ${protocolVersion} of ACP, and Errand version ${PROTOCOL_VERSION}`);
  }
  if (agentInfo) sink.client(cutText(cleanText([agentInfo.name, agentInfo.version].filter(Boolean).join(' ')), 200));
  return hello.data;
}

/** How the agent reaches Errand: at its URL, or through a program for agents that only start programs. */
export function mcpServers(hello: Hello, { mcp, variables }: Job, errandArgv: readonly string[]): McpServer[] {
  if (hello.agentCapabilities?.mcpCapabilities?.http) {
    const headers = [{ name: 'Authorization', value: `Bearer ${mcp.token}` }];
    return [{ type: 'http', name: 'errand', url: mcp.url, headers }];
  }
  const [command, ...args] = errandArgv;
  if (command === undefined) return [];
  const env = Object.entries(variables).map(([name, value]) => ({ name, value }));
  return [{ name: 'errand', command, args, env }];
}

export interface OpenedSession {
  readonly sessionId: string;
  /** The session has no memory of earlier runs. */
  readonly isFresh: boolean;
  /** Whether the agent repeats the history of the session. */
  readonly isReplayed: boolean;
}

/** The agent itself ended while it should resume the session. */
export class LostSession extends Error {
  override readonly name = 'LostSession';
}

/** Resumes the wanted session; null if the agent cannot, or no longer has it. */
async function resume(
  agent: ClientContext,
  hello: Hello,
  request: { sessionId: string; cwd: string; mcpServers: McpServer[] },
): Promise<OpenedSession | null> {
  const { sessionCapabilities, loadSession } = hello.agentCapabilities ?? {};
  const { resume: resumeMethod, load } = methods.agent.session;
  // Loading comes second: the agent then repeats the whole history. Qwen Code announces `resume`, but lacks the method.
  const ways = [...(sessionCapabilities?.resume == null ? [] : [resumeMethod]), ...(loadSession ? [load] : [])];
  for (const way of ways) {
    try {
      await agent.request(way, request);
      return { sessionId: request.sessionId, isFresh: false, isReplayed: way === load };
    } catch (error) {
      // Also when it wants a log-in: Gemini CLI does so for old sessions only; a fresh one shows if one is needed.
      if (!(error instanceof RequestError)) throw new LostSession('The agent ended while it resumed a session.');
    }
  }
  return null;
}

/** Opens the session of the job, or falls back to a fresh one and says so in the feed. */
export async function openSession(
  agent: ClientContext,
  hello: Hello,
  { job, sink, servers }: { readonly job: Job; readonly sink: RunSink; readonly servers: McpServer[] },
): Promise<OpenedSession> {
  const { agent_session_id, folder } = job;
  const place = { cwd: folder, mcpServers: servers };
  const resumed =
    agent_session_id === null ? null : await resume(agent, hello, { sessionId: agent_session_id, ...place });
  if (resumed !== null) {
    sink.session(resumed.sessionId);
    return resumed;
  }
  const opened = Opened.safeParse(await agent.request(methods.agent.session.new, place));
  if (!opened.success) throw new BrokenProtocol('it opened a session without an id');
  if (agent_session_id !== null) sink.feed('status', FRESH_SESSION);
  sink.session(opened.data.sessionId);
  return { sessionId: opened.data.sessionId, isFresh: true, isReplayed: false };
}
