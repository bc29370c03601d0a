import { createReadStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';

/** A traced program's operations on the files of one folder, and its messages, in order. */
export type Event =
  | { readonly kind: 'create'; readonly file: string }
  | { readonly kind: 'unlink'; readonly file: string }
  /** Gives the file a further name. */
  | { readonly kind: 'link'; readonly file: string; readonly to: string }
  | { readonly kind: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly size: number }
  | { readonly kind: 'sync'; readonly file: string; readonly ok: boolean }
  | { readonly kind: 'sync folder' }
  | { readonly kind: 'message'; readonly text: string };

// The calls that the model knows. Any other call that changes a file in the folder would make the model wrong.
const KNOWN = ['openat', 'pwrite64', 'write', 'fsync', 'fdatasync', 'ftruncate', 'unlink', 'link'];
const UNKNOWN = [
  ...['pwritev', 'pwritev2', 'writev', 'truncate', 'fallocate', 'copy_file_range', 'sendfile'],
  ...['rename', 'renameat', 'renameat2', 'linkat', 'unlinkat', 'mkdir'],
];
const MAX_STRING_BYTES = 1 << 20;

export const traceArguments = (file: string): readonly string[] => [
  ...['--seccomp-bpf', '-f', '-y', '-xx', '-s', String(MAX_STRING_BYTES), '-e', 'signal=none', '-o', file],
  ...['-e', `trace=${[...KNOWN, ...UNKNOWN].join(',')}`],
];

const decode = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex');

interface Call {
  readonly pid: string;
  readonly name: string;
  readonly args: string;
  readonly result: number;
}

/** Reads the calls of a trace, and joins calls that were interrupted in the listing. */
async function* calls(path: string): AsyncGenerator<Call> {
  const begun = new Map<string, string>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    const interrupted = rest.endsWith(' <unfinished ...>');
    if (interrupted) begun.set(pid, rest.slice(0, -' <unfinished ...>'.length));
    const resumed = /^<\.\.\. \w+ resumed>/.exec(rest);
    const whole = resumed === null ? rest : `${begun.get(pid)}${rest.slice(resumed[0].length)}`;
    const opening = whole.indexOf('(');
    // The last equals sign: written data is hexadecimal, and error texts contain none.
    const equals = whole.lastIndexOf(' = ');
    if (interrupted || !/^\w+\(/.test(whole) || equals === -1) continue;
    const args = whole.slice(opening + 1, whole.lastIndexOf(')', equals));
    yield { pid, name: whole.slice(0, opening), args, result: Number.parseInt(whole.slice(equals + 3), 10) };
  }
}

/** Reads the path in `21<…>` or `"…"` at the start of the arguments. */
function pathOf({ name, args }: Call): string {
  if (name === 'openat') return decode(args.split('"')[1] ?? '').toString();
  const quoted = args.startsWith('"') ? args.split('"')[1] : args.slice(args.indexOf('<') + 1, args.indexOf('>'));
  return decode(quoted ?? '').toString();
}

function eventOf(call: Call, path: string, folder: string): Event | null {
  const { name, args, result } = call;
  const file = basename(path);
  if (name === 'fsync' || name === 'fdatasync')
    return path === folder ? { kind: 'sync folder' } : { kind: 'sync', file, ok: result === 0 };
  if (result < 0) return null;
  if (name === 'openat') return args.includes('O_CREAT') ? { kind: 'create', file } : null;
  if (name === 'unlink') return { kind: 'unlink', file };
  if (name === 'link') return { kind: 'link', file, to: basename(decode(args.split('"')[3] ?? '').toString()) };
  const [, data = '', numbers = args] = args.split('"');
  if (numbers.includes('...')) throw new Error('The trace does not hold all of what was written.');
  const last = Number(numbers.slice(numbers.lastIndexOf(',') + 1));
  if (name === 'ftruncate') return { kind: 'truncate', file, size: last };
  if (name === 'pwrite64') return { kind: 'write', file, at: last, bytes: decode(data).subarray(0, result) };
  throw new Error(`The program changed ${path} by ${name}, which the model does not know.`);
}

const isMessage = ({ name, args }: Call): boolean => name === 'write' && args.startsWith('1<');

export async function readTrace(path: string, folder: string): Promise<readonly Event[]> {
  const events: Event[] = [];
  const threads = new Set<string>();
  for await (const call of calls(path)) {
    if (isMessage(call)) {
      events.push({ kind: 'message', text: decode(call.args.split('"')[1] ?? '').toString() });
      continue;
    }
    const touched = pathOf(call);
    // SQLite's shared memory index does not survive a power cut.
    if ((touched !== folder && dirname(touched) !== folder) || touched.endsWith('-shm')) continue;
    const event = eventOf(call, touched, folder);
    if (event === null) continue;
    threads.add(call.pid);
    events.push(event);
  }
  // Calls of two threads are listed in the order of their ends, which may differ from the order of their effects.
  if (threads.size > 1) throw new Error('More than one thread wrote.');
  return events;
}
