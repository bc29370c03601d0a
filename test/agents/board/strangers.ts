import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 100;
const TABLES = ['tcp', 'tcp6', 'udp', 'udp6'];
// As the kernel prints them: 127.x, 0.0.0.0, ::1, :: and 127.x within IPv6.
const NEAR = /^(?:[0-9A-F]{6}7F|0{8}|0{24}01000000|0{32}|0{16}FFFF0000[0-9A-F]{6}7F)$/;

/** Finds the processes of runs at any depth: children inherit the run's id in their environment. */
async function processesOfRuns(home: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const isOurs = async (pid: string): Promise<boolean> => {
    const environ = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    return environ.includes('NOVA_EXECUTION_ID=') && environ.includes(`HOME=${home}`);
  };
  const ours = await Promise.all(pids.map(isOurs));
  return pids.filter((_, index) => ours[index]);
}

async function socketsOf(pid: string): Promise<readonly string[]> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')));
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
}

/** Reads the remote addresses of all sockets, by inode. */
async function farEnds(): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(TABLES.map((table) => readFile(`/proc/net/${table}`, 'utf8').catch(() => '')));
  const rows = texts.flatMap((text) => text.split('\n').slice(1)).map((line) => line.trim().split(/\s+/));
  return new Map(rows.flatMap((row) => (row[2] && row[9] ? [[row[9], row[2]] as const] : [])));
}

export interface Watch extends AsyncDisposable {
  /** Returns remote addresses outside of this machine, in the kernel's format. */
  readonly seen: () => readonly string[];
}

/** Watches the connections of a server's agents. A very short connection can be missed. */
export function watchStrangers(home: string): Watch {
  const strangers = new Set<string>();
  let isOver = false;

  const look = async (): Promise<void> => {
    const pids = await processesOfRuns(home);
    const [ends, ...sockets] = await Promise.all([farEnds(), ...pids.map(socketsOf)]);
    for (const end of sockets.flat().flatMap((inode) => ends.get(inode) ?? [])) {
      if (!NEAR.test(end.split(':')[0] ?? '')) strangers.add(end);
    }
  };
  const watching = (async () => {
    while (!isOver) {
      await look();
      await pause(LOOK_EVERY_MS);
    }
  })();

  return {
    seen: () => [...strangers],
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      await watching;
    },
  };
}
