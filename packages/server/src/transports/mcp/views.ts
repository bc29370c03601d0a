import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extensionOf, type JsonObject, type ResourcePart } from '@errand/mcp';
import type { ViewName } from '#tools/define';

/** The extension of the protocol by which a server gives a chat pages to show: MCP Apps. */
const EXTENSION = 'io.modelcontextprotocol/ui';
const MIME_TYPE = 'text/html;profile=mcp-app';

interface View {
  readonly title: string;
  readonly description: string;
}

const VIEWS: Readonly<Record<ViewName, View>> = {
  board: { title: 'Board', description: 'The board of a project: its tasks in columns, which a person can move.' },
  task: { title: 'Task', description: 'A task: what it asks for, how far it is, and what was said about it.' },
};

export const viewUri = (name: ViewName): string => `ui://errand/${name}.html`;

/** Nothing outside of the file: the host refuses every other address by default. */
const _meta = { ui: { prefersBorder: true } };

/** Whether the client can show the views. */
export function showsViews(client_capabilities: JsonObject): boolean {
  const { mimeTypes }: { readonly mimeTypes?: unknown } = extensionOf(client_capabilities, EXTENSION) ?? {
    mimeTypes: [],
  };
  return mimeTypes === undefined || (Array.isArray(mimeTypes) && mimeTypes.includes(MIME_TYPE));
}

/** In the package, beside the bundle; where the build writes them when the program runs from source. */
function usualFolder(): string | undefined {
  const folders = ['views', '../views', '../../../dist/views'].map((path) => join(import.meta.dirname, path));
  return folders.find((folder) => existsSync(join(folder, 'board.html')));
}

/** The views as resources; undefined when they are not built. */
export function createViews<Caller>(folder: string | undefined = usualFolder()): ResourcePart<Caller> | undefined {
  if (folder === undefined) return undefined;
  // The cast: `Object.keys` forgets the names.
  const names = Object.keys(VIEWS) as readonly ViewName[];
  const resources = names.map((name) => ({ uri: viewUri(name), name, ...VIEWS[name], mimeType: MIME_TYPE, _meta }));
  return {
    extension: EXTENSION,
    list: () => resources,
    templates: () => [],
    read: (uri) => {
      const name = names.find((each) => viewUri(each) === uri);
      return name && contentsOf(join(folder, `${name}.html`), uri);
    },
  };
}

async function contentsOf(path: string, uri: string) {
  const text = await readFile(path, 'utf8');
  return { kind: 'contents' as const, contents: [{ uri, mimeType: MIME_TYPE, text, _meta }] };
}
