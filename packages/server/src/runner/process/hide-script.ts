import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type HiddenPath, isWithin } from './hidden-paths.ts';

/** What root keeps: enough for package managers, not enough to mount, to make devices or to open files by handle. */
const ROOT_KEEPS = [
  ['chown', 'dac_override', 'fowner', 'fsetid', 'setfcap'],
  ['kill', 'setgid', 'setuid', 'setpcap', 'sys_chroot'],
  ['net_bind_service', 'net_raw', 'audit_write'],
].flat();

/** The bounding set of a root run, for `setpriv`. */
export const ROOT_CAPABILITIES = ['-all', ...ROOT_KEEPS.map((name) => `+${name}`)].join(',');

/**
 * Root without capabilities still owns the kernel's settings and the disks: with either it could read what is hidden.
 * A disk that is read raw contains the database.
 */
export const LOCK_ROOT = [
  'mount -o bind,ro /proc/sys /proc/sys',
  'if [ -e /proc/sysrq-trigger ]; then mount -o bind,ro /proc/sysrq-trigger /proc/sysrq-trigger; fi',
  'if mountpoint -q /sys; then mount -o remount,bind,ro /sys; fi',
  'for disk in /dev/*; do if [ -b "$disk" ] && [ ! -h "$disk" ]; then mount --bind /dev/null "$disk"; fi; done',
];

export const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Shell lines for a new mount namespace: an empty folder over each hidden folder, a null device over each hidden
 * file. Then the visible paths are mounted again. The covered folder is reached only as the current directory of this shell.
 */
export function hideScript(places: readonly HiddenPath[], shows: readonly string[]): readonly string[] {
  return places.flatMap(({ path, is_folder }) => {
    if (!is_folder) return [`mount --bind /dev/null ${quote(path)}`];
    const shown = shows.filter((show) => show !== path && isWithin(show, path)).map((show) => relative(path, show));
    return [
      `cd ${quote(path)}`,
      `mount -t tmpfs -o mode=700,size=1m tmpfs ${quote(path)}`,
      ...shown.flatMap((inside) => showAgain(path, inside)),
      `mount -o remount,bind,ro ${quote(path)}`,
      'cd /',
    ];
  });
}

function showAgain(folder: string, inside: string): readonly string[] {
  const target = join(folder, inside);
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
  const make = isFolder
    ? [`mkdir -p ${quote(target)}`]
    : [`mkdir -p ${quote(join(target, '..'))}`, `: > ${quote(target)}`];
  return [...make, `mount --no-canonicalize --rbind ${quote(`./${inside}`)} ${quote(target)}`];
}
