import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The files of the port. */
const PORT = globSync('{store,*-store}.ts', { cwd: import.meta.dirname });

/** Methods that begin with an id alone, each with the reason. */
const BY_ID_ALONE: Readonly<Record<string, string>> = {
  'approvals.ofRunForWorker': 'a worker serves every workspace',
  'clientSessions.addTask': 'of a server: it has checked whose session it is',
  'clientSessions.tasksMade': 'of a server: it has checked whose sessions they are',
  'clientSessions.touch': 'of a server: it has checked whose session it is',
  'gitJobs.findForWorker': 'a worker serves every workspace, and names the epoch of its job',
  'queue.findForWorker': 'a worker serves every workspace, and names the epoch of its run',
  'servers.remove': 'a server removes its own row',
  'workers.remove': 'a worker removes its own row',
  'workspaces.rename': 'the id is that of the workspace',
};

interface Method {
  /** Below which noun of the port it is, and its own name. */
  readonly name: string;
  readonly parameter: string;
  /** A name, or the fields of an object that is written out. */
  readonly type: string;
}

/** The nouns of a text, by where their methods begin. */
const NOUN = /^ {2}readonly (\w+): /gm;
const METHOD = /readonly (\w+): (?:<\w+>)?\(\s*(\w+|\{[^}]*\}): (?:readonly )?(\w+|\{[^}]*\})/g;

function methodsIn(text: string): readonly Method[] {
  const nouns = [...text.matchAll(NOUN)];
  return [...text.matchAll(METHOD)].map(({ index, 1: method = '', 2: parameter = '', 3: type = '' }) => ({
    name: `${nouns.findLast((noun) => noun.index < index)?.[1]}.${method}`,
    parameter,
    type,
  }));
}

const isOwner = (type: string): boolean => type === 'WorkspaceId' || type === 'UserId';

function isBareId({ parameter, type }: Method): boolean {
  if (!type.startsWith('{')) return /^ids?$/.test(parameter) || (type.endsWith('Id') && !isOwner(type));
  const fields = [...type.matchAll(/readonly (\w+): (\w+)/g)].map(([, name = '', of = '']) => ({ name, of }));
  return fields.some(({ name, of }) => name === 'id' || of.endsWith('Id')) && !fields.some(({ of }) => isOwner(of));
}

it('the store looks nothing up by an id alone: the workspace or the owner comes first', async () => {
  const texts = await Promise.all(PORT.map((file) => readFile(join(import.meta.dirname, file), 'utf8')));

  const known = texts.flatMap(methodsIn);
  const byId = known.filter(isBareId).map(({ name }) => name);

  expect(PORT.length).toBeGreaterThan(15);
  expect(known.length).toBeGreaterThan(80);
  expect([...new Set(byId)].toSorted()).toEqual(Object.keys(BY_ID_ALONE).toSorted());
});

it('sees an id alone below another noun, and in an object', () => {
  const port = `
  readonly tasks: {
    readonly remove: (id: TaskId) => void;
    readonly due: (query: { readonly task_id: TaskId; readonly limit: number }) => void;
    readonly ofRun: ({ id }: { readonly id: RunId }) => void;
    readonly own: (query: { readonly user_id: UserId; readonly task_id: TaskId }) => void;
    readonly page: (query: { readonly limit: number }) => void;
  };`;

  expect(
    methodsIn(port)
      .filter(isBareId)
      .map(({ name }) => name),
  ).toEqual(['tasks.remove', 'tasks.due', 'tasks.ofRun']);
});
