import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = dirname(import.meta.dirname);
const TYPESCRIPT = join(ROOT, 'node_modules/typescript/bin/tsc');

/** In this order: each is compiled against the types of those before it. */
const LIBRARIES = ['tasks', 'mcp'] as const;

/** Compiles a library as it is published: JavaScript and its types. */
function build(name: string): number {
  const folder = join(ROOT, 'packages', name);
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [TYPESCRIPT, '-p', join(folder, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
  if (status === 0) process.stderr.write(`Built packages/${name}/dist.\n`);
  return status ?? 1;
}

const [wanted] = process.argv.slice(2);
const chosen = wanted === undefined ? LIBRARIES : LIBRARIES.filter((name) => name === wanted);
process.exitCode = chosen.every((name) => build(name) === 0) ? 0 : 1;
