/** One package of package-lock.json. */
export interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly engines?: Readonly<Record<string, string>>;
  readonly license?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The packages of package-lock.json by their folder. */
export type Packages = Readonly<Record<string, Entry>>;

/** An optional dependency whose version, as named by its parent, is missing from the lockfile. */
export interface Missing {
  readonly parent: string;
  readonly name: string;
  readonly version: string;
}

const MODULES = 'node_modules/';
const EXACT = /^\d+\.\d+\.\d+(-[\w.-]+)?$/;

/** Yields the folders in which Node looks for a package that `from` imports, the nearest first. */
function* placesOf(from: string, name: string): Generator<string> {
  const parts = from === '' ? [] : from.split('/');
  for (let length = parts.length; length >= 0; length -= 1) {
    if (parts[length - 1] === 'node_modules') continue;
    yield [...parts.slice(0, length), `${MODULES}${name}`].join('/');
  }
}

function isLocked(packages: Packages, { parent, name, version }: Missing): boolean {
  for (const place of placesOf(parent, name)) {
    const entry = packages[place];
    if (entry !== undefined) return !EXACT.test(version) || entry.version === version;
  }
  return false;
}

/** Returns the optional dependencies without an entry. `npm ci` refuses a lockfile with any. */
export const missingEntries = (packages: Packages): readonly Missing[] =>
  Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .map(([name, version]) => ({ parent, name, version }))
      .filter((wanted) => !isLocked(packages, wanted)),
  );

/** Returns the entries with a registry address. Without one, npm uses the registry that each machine has set. */
export const entriesWithAddress = (packages: Packages): readonly string[] =>
  Object.entries(packages).flatMap(([place, { link, resolved }]) =>
    link !== true && resolved !== undefined ? [place] : [],
  );

/** Returns the folder for a new entry: beside its parent, as npm does; below it when another version is there. */
function newPlace(packages: Packages, { parent, name }: Missing): string {
  const beside = `${parent.slice(0, parent.lastIndexOf(MODULES))}${MODULES}${name}`;
  return packages[beside] === undefined ? beside : `${parent}/${MODULES}${name}`;
}

/** Adds an entry for a missing package to the lockfile. */
export function withEntry(packages: Packages, missing: Missing, facts: Entry): Packages {
  const { dev } = packages[missing.parent] ?? {};
  const entry = { version: missing.version, ...facts, ...(dev === true && { dev }), optional: true };
  return { ...packages, [newPlace(packages, missing)]: entry };
}

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
const LIBRARIES: Readonly<Record<string, string>> = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl' };

/** Reads the platform from the name of a binary package: `binding-linux-x64-musl`. */
export function platformOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[-/]/);
  const os = words.filter((word) => SYSTEMS.includes(word));
  const cpu = words.filter((word) => PROCESSORS.includes(word));
  const libc = words.flatMap((word) => LIBRARIES[word] ?? []);
  if (cpu.length === 0) throw new Error(`The name ${name} does not say for which platform the package is.`);
  return { ...(os.length > 0 && { os }), cpu, ...(libc.length > 0 && { libc }) };
}
