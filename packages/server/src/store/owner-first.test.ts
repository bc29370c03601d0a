import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The files of the port. */
const PORT = globSync('{store,*-store}.ts', { cwd: import.meta.dirname });

/** Methods whose first parameter is a bare id, each with the reason. */
const BY_ID_ALONE: Readonly<Record<string, string>> = {
  findForWorker: 'a worker serves every workspace, and names the epoch of its run',
  ofRunForWorker: 'a worker serves every workspace',
  rename: 'the id is that of the workspace',
  touch: 'of a server: it has checked whose session it is',
  addTask: 'of a server: it has checked whose session it is',
  tasksMade: 'of a server: it has checked whose sessions they are',
  remove: 'a worker or a server removes its own row',
};

interface Method {
  readonly name: string;
  readonly parameter: string;
  readonly type: string;
}

/** Each method of the port with its first parameter. */
async function methods(): Promise<readonly Method[]> {
  const texts = await Promise.all(PORT.map((file) => readFile(join(import.meta.dirname, file), 'utf8')));
  const found = texts.flatMap((text) => [...text.matchAll(/readonly (\w+): \(\s*(\w+): (?:readonly )?(\w+)/g)]);
  return found.map(([, name = '', parameter = '', type = '']) => ({ name, parameter, type }));
}

const isBareId = ({ parameter, type }: Method): boolean =>
  /^ids?$/.test(parameter) || (type.endsWith('Id') && type !== 'WorkspaceId' && type !== 'UserId');

it('the store looks nothing up by an id alone: the workspace or the owner comes first', async () => {
  const known = await methods();
  const byId = known.filter(isBareId).map(({ name }) => name);

  expect(PORT.length).toBeGreaterThan(15);
  expect(known.length).toBeGreaterThan(80);
  expect([...new Set(byId)].toSorted()).toEqual(Object.keys(BY_ID_ALONE).toSorted());
});
