import { type Launch, openPipes } from '../drivers/mcp-stdio.ts';
import { resultOf } from '../drivers/mcp-wire.ts';
import { mcpReporter, Refused, type Reporter } from './report.ts';

/** Makes an agent on the pipes of `errand mcp`. */
export async function stdioReporter(launch: Launch): Promise<Reporter> {
  const pipes = await openPipes(launch);
  return mcpReporter(
    async (method, params) => {
      const { sent, text } = await pipes.ask(method, params);
      const { error } = JSON.parse(text) as { error?: { readonly data?: { readonly code: string; message: string } } };
      if (error?.data?.code === 'unauthenticated') return new Refused(error.data);
      return resultOf(launch.revision, sent, text);
    },
    async () => pipes[Symbol.asyncDispose](),
  );
}
