import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Entry,
  type Missing,
  missingEntries,
  type Packages,
  platformOf,
  withEntry,
} from './lockfile/optional-entries.ts';

// Adds the binaries of other platforms to package-lock.json. npm leaves an optional package out when its registry
// does not have that version, and `npm ci` then refuses the lockfile on every machine.

const FILE = join(dirname(import.meta.dirname), 'package-lock.json');
const FIELDS = ['dist.integrity', 'os', 'cpu', 'libc', 'engines', 'license'];

interface Manifest extends Entry {
  readonly 'dist.integrity'?: string;
}

/** Reads one version's manifest from the registry; null when the registry does not have it. */
function manifestOf({ name, version }: Missing): Manifest | null {
  const args = ['view', `${name}@${version}`, ...FIELDS, '--json'];
  try {
    // The cast: the answer has the requested fields, in the form of manifests.
    return JSON.parse(execFileSync('npm', args, { encoding: 'utf8', stdio: 'pipe' })) as Manifest;
  } catch {
    return null;
  }
}

function factsOf(missing: Missing): Entry {
  const manifest = manifestOf(missing);
  if (manifest === null) return platformOf(missing.name);
  const { 'dist.integrity': integrity, ...facts } = manifest;
  return { ...(integrity !== undefined && { integrity }), ...facts };
}

const lock = JSON.parse(readFileSync(FILE, 'utf8')) as { readonly packages: Packages };
let { packages } = lock;
for (const missing of missingEntries(packages)) {
  packages = withEntry(packages, missing, factsOf(missing));
  process.stdout.write(`added ${missing.name} ${missing.version}\n`);
}
const sorted = Object.entries(packages).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
writeFileSync(FILE, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
