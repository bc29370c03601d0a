import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = dirname(import.meta.dirname);
const PACKAGE = join(ROOT, 'packages/tasks');

/** Compiles the library as it is published: JavaScript and its types. */
rmSync(join(PACKAGE, 'dist'), { recursive: true, force: true });
const typescript = join(ROOT, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [typescript, '-p', join(PACKAGE, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
if (status === 0) process.stderr.write('Built packages/tasks/dist.\n');
