import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { errand, temporaryFolder } from '../program.ts';

it.each([['serve', '--port', '0'], ['worker']])(
  'a configuration that cannot be meant ends errand %s with one line that names it',
  async (...command) => {
    await using folder = await temporaryFolder();
    const data = join(folder.path, 'data');
    await mkdir(data);
    await writeFile(join(data, 'config.json'), '{"executers": {}}');

    const { code, stderr } = await errand([...command, '--data', data]);

    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 2, lines: 1 });
    expect(stderr).toContain('config.json');
    expect(stderr).toContain('executers');
  },
);
