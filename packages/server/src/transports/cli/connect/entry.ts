import { join } from 'node:path';
import { ErrandError } from '#errors';
import { EXIT } from '#transports/cli/exit-code';
import { type Client, type Machine, type Setup, vscodeProject } from '#transports/mcp-clients';
import { chooseFile, type Edit, editWith, editWithout, revertEdit, writeEdit } from './config-file.ts';
import { type ClientRun, runClient } from './run-client.ts';

/** Where the configuration of a client is written: the person's own configuration, or a file of the project. */
export interface ConfigLocation extends Machine {
  /** The folder whose `.vscode/mcp.json` is written; null for the person's own configuration. */
  readonly project_folder: string | null;
}

export type Outcome =
  | { readonly done: true; readonly path: string | null }
  | { readonly done: false; readonly command: readonly string[]; readonly run: ClientRun };

type FileSetup = Extract<Setup, { readonly kind: 'file' }>;

/** Returns the entry for this place. */
export function setupIn(
  client: Client,
  { project_folder }: ConfigLocation,
  { mcp_url, token }: { readonly mcp_url: string; readonly token: string },
): Setup {
  const setup = client.setup(mcp_url, token);
  if (project_folder === null || setup.kind === 'command') return setup;
  const { entry, input } = vscodeProject(mcp_url);
  return { ...setup, shown_path: '.vscode/mcp.json', entry, input };
}

export const pathOf = (client: Client, place: ConfigLocation): Promise<string> =>
  place.project_folder === null
    ? chooseFile(client.files?.(place) ?? [])
    : Promise.resolve(join(place.project_folder, '.vscode', 'mcp.json'));

const editsOf = async (client: Client, place: ConfigLocation, setup: FileSetup): Promise<Edit> =>
  editWith(await pathOf(client, place), setup);

const brokenFile = (path: string, { said }: ClientRun): ErrandError =>
  new ErrandError('validation_error', `The configuration ${path} is refused. Nothing was changed.`, { hint: said });

async function mustPass({ check }: Client, { env }: ConfigLocation): Promise<ClientRun | null> {
  const run = check === undefined ? null : await runClient(check, env);
  return run === null || run.code === EXIT.ok ? null : run;
}

/** Refuses a configuration that cannot be edited, before an agent is created. */
export async function mustBeEditable(client: Client, place: ConfigLocation, setup: Setup): Promise<void> {
  if (setup.kind === 'command') return;
  const { path, before } = await editsOf(client, place, setup);
  const refused = before === null ? null : await mustPass(client, place);
  if (refused !== null) throw brokenFile(path, refused);
}

/** Writes the file. Restores it when the client then refuses it. */
async function writeEntry(client: Client, place: ConfigLocation, setup: FileSetup): Promise<Outcome> {
  const edit = await editsOf(client, place, setup);
  await writeEdit(edit);
  const refused = await mustPass(client, place);
  if (refused === null) return { done: true, path: edit.path };
  await revertEdit(edit);
  throw brokenFile(edit.path, refused);
}

/** Adds the entry. Some clients refuse a second entry of the same name: then the old one is removed first. */
async function addEntry({ argv, undo }: Extract<Setup, { kind: 'command' }>, env: Machine['env']): Promise<Outcome> {
  let run = await runClient(argv, env);
  if (run.code !== EXIT.ok && (await runClient(undo, env)).code === EXIT.ok) run = await runClient(argv, env);
  return run.code === EXIT.ok ? { done: true, path: null } : { done: false, command: argv, run };
}

/** Adds Errand to the client's configuration. */
export const applySetup = (client: Client, place: ConfigLocation, setup: Setup): Promise<Outcome> =>
  setup.kind === 'command' ? addEntry(setup, place.env) : writeEntry(client, place, setup);

/** Removes the entry; false when there was none. */
export async function undoSetup(client: Client, place: ConfigLocation, setup: Setup): Promise<boolean> {
  if (setup.kind === 'command') return (await runClient(setup.undo, place.env)).code === EXIT.ok;
  return writeEdit(await editWithout(await pathOf(client, place), setup));
}
