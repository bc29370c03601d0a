import { randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findHiddenPlaces, parseMounts } from './hidden-paths.ts';
import { openProcesses } from './testing/live.ts';
import { startParent } from './testing/start-parent.ts';

using probe = await openProcesses({ isolation: 'auto' });
const users = process.getuid?.() === 0 ? [false, true] : [false];
const NOBODY = 65534;
const SECRET = 'canary-database';

/** A data folder with a database, the folders of two attempts, and a link to all of it. */
function aDataFolder(as_nobody: boolean) {
  const home = mkdtempSync(join(tmpdir(), "errand-hidden it's-"));
  const data = join(home, 'data');
  const [own, other] = ['one', 'two'].map((name) => join(data, 'attempts', name));
  for (const folder of [own, other]) mkdirSync(folder ?? '', { recursive: true });
  const files = [join(data, 'errand.db'), join(own ?? '', 'mine.txt'), join(other ?? '', 'canary.txt')];
  for (const file of files) writeFileSync(file, file.endsWith('mine.txt') ? 'mine\n' : `${SECRET}\n`);
  symlinkSync(data, join(home, 'link'));
  const all = [home, data, join(data, 'attempts'), own ?? '', other ?? '', ...files];
  if (as_nobody) for (const path of all) chownSync(path, NOBODY, NOBODY);
  return { home, data, own: own ?? '', [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }) };
}

/** The attack of an agent on the database: each line prints what it can read. */
const ATTACK = `
find "$DATA" "$HOME_OF_IT/link/" /proc/1/root"$DATA" /proc/self/root"$DATA" -type f -exec cat {} +
cat "$DATA/errand.db" "$DATA"/attempts/../errand.db "$HOME_OF_IT/link/errand.db" "$OWN/../../errand.db" "$OWN/../two/canary.txt"
for pid in /proc/[0-9]*; do cat $pid/root"$DATA/errand.db" $pid/cwd/../../errand.db $pid/environ; ls -l $pid/fd; done
umount "$DATA"; umount -l "$DATA"; mount -o remount,rw "$DATA"; cat "$DATA/errand.db"
mkdir -p "$OWN/m"; mount --bind "$HOME_OF_IT" "$OWN/m" && cat "$OWN/m/data/errand.db"
unshare --user --map-root-user --mount sh -c 'umount -l "$DATA"; cat "$DATA/errand.db"; mount --bind "$HOME_OF_IT" "$OWN/m"; cat "$OWN/m/data/errand.db"; mount --rbind "$HOME_OF_IT" "$OWN/m"; cat "$OWN/m/data/errand.db"; umount -l "$OWN/m/data"; cat "$OWN/m/data/errand.db"'
nsenter --target 1 --mount cat "$DATA/errand.db"
mv "$DATA" "$HOME_OF_IT/moved"; cat "$HOME_OF_IT/moved/errand.db"
ln "$DATA/errand.db" "$OWN/linked"; cat "$OWN/linked"
echo planted > "$DATA/config.json"
for disk in /dev/*; do [ -b "$disk" ] && [ -r "$disk" ] && echo ${SECRET}; done
[ -w /proc/sys/kernel/core_pattern ] && echo ${SECRET}
mknod "$OWN/disk" b 254 0 && head -c 1 "$OWN/disk" && echo ${SECRET}
`;

describe.skipIf(!probe.hides).each(users)('a run that wants the data folder (as nobody: %s)', (as_nobody) => {
  it('sees its own attempt there and nothing else, whatever it tries', async () => {
    using place = aDataFolder(as_nobody);
    const script = `export DATA='${quoted(place.data)}' HOME_OF_IT='${quoted(place.home)}' OWN='${quoted(place.own)}'
      (${ATTACK}) 2>/dev/null; cat "$OWN/mine.txt"; echo kept > "$OWN/new.txt"; cat "$OWN/new.txt"; find "$DATA"; echo end`;
    using parent = await startParent({
      isolation: 'auto',
      execution_id: randomUUID(),
      script,
      hides: [place.data],
      shows: [place.own],
      env: { ERRAND_DATABASE_URL: `postgres://errand:${SECRET}@127.0.0.1/errand` },
      as_nobody,
    });

    const lines = await parent.rest();

    expect(parent.facts.hides).toBe(true);
    expect(lines.join('\n')).not.toContain(SECRET);
    expect(lines.join('\n')).not.toContain('two');
    expect(lines).toEqual(expect.arrayContaining(['mine', 'kept', join(place.own, 'mine.txt'), 'end']));
    expect(lines).not.toContain(join(place.data, 'config.json'));
  });

  it('sees all of it where nothing is hidden', async () => {
    using place = aDataFolder(as_nobody);
    using parent = await startParent({
      isolation: 'off',
      execution_id: randomUUID(),
      script: `cat '${quoted(place.data)}/errand.db'`,
      hides: [place.data],
      as_nobody,
    });

    const lines = await parent.rest();

    expect(parent.facts.hides).toBe(false);
    expect(lines).toContain(SECRET);
  });
});

const quoted = (path: string): string => path.replaceAll("'", String.raw`'\''`);

describe('the hidden paths', () => {
  it('are those that exist, each once, and none inside of another', () => {
    using place = aDataFolder(false);

    const found = findHiddenPlaces([place.data, join(place.home, 'link'), place.own, join(place.home, 'absent')]);

    expect(found).toEqual([{ path: place.data, is_folder: true }]);
  });

  it('include every path at which the same folder is mounted', () => {
    using place = aDataFolder(false);
    const alias = join(place.home, 'link');
    const mounts = parseMounts(
      [
        `1 0 8:1 / ${'/'} rw - ext4 /dev/sda1 rw`,
        `2 1 8:1 ${place.data.replaceAll(' ', String.raw`\040`)} ${alias.replaceAll(' ', String.raw`\040`)} rw - ext4 /dev/sda1 rw`,
        `3 1 8:2 / /elsewhere rw - ext4 /dev/sdb1 rw`,
      ].join('\n'),
    );

    const found = findHiddenPlaces([place.data], mounts);

    expect(found.map(({ path }) => path)).toEqual([place.data, alias]);
  });
});
