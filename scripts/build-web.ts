import { dirname, join } from 'node:path';
import { build, type Rolldown } from 'vite';

const WEB = join(dirname(import.meta.dirname), 'packages/web');

/** Builds the web board into a folder. Returns the modules that are inside. */
export async function buildWeb(into: string): Promise<readonly string[]> {
  const built = await build({
    configFile: join(WEB, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: into, emptyOutDir: true },
  });
  // The cast: Vite answers a watcher only when it is told to watch.
  const outputs = [built].flat() as readonly Rolldown.RolldownOutput[];
  return outputs.flatMap(({ output }) => output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : [])));
}
