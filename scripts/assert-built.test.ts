import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const PACKAGES = join(import.meta.dirname, '../packages');

describe('packing', () => {
  it.each(['tasks', 'mcp', 'server'])('is refused without a build: %s', (name) => {
    const manifest = JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8'));
    const [program, ...args] = String(manifest.scripts.prepack).replace('../..', join(PACKAGES, '..')).split(' ');
    const cwd = mkdtempSync(join(tmpdir(), 'errand-pack-'));
    const pack = () => spawnSync(program ?? '', args, { cwd, encoding: 'utf8' });

    const without = pack();
    mkdirSync(join(cwd, 'dist'));
    const built = pack();

    expect([without.status, built.status]).toEqual([1, 0]);
    expect(without.stderr).toContain('npm run build');
    rmSync(cwd, { recursive: true });
  });
});
