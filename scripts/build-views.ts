import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { catalog } from '../packages/server/src/tools/catalog.ts';
import { fieldsOf } from '../packages/server/src/transports/fields.ts';

const WEB = join(dirname(import.meta.dirname), 'packages/web');
const ROUTES = 'virtual:tool-routes';
const VIEWS = { board: 'Board', task: 'Task' } as const;

/** The tools that views may call, with their places in the REST API: the generated client asks for these. */
function routes() {
  return catalog
    .filter(({ mcp, for_views, profile }) => (mcp || for_views) && (profile === 'board' || profile === 'tasker'))
    .map((tool) => {
      const [method = '', path = ''] = tool.route.split(' ');
      const kinds = fieldsOf(tool).flatMap(({ name, kind }) => (kind === 'string' ? [] : [[name, kind] as const]));
      const inQuery = method === 'GET' || method === 'DELETE';
      return { tool: tool.full_name, method, path: `/api/v1${path}`, kinds: inQuery ? Object.fromEntries(kinds) : {} };
    });
}

const toolRoutes: Plugin = {
  name: 'tool-routes',
  resolveId: (id) => (id === ROUTES ? `\0${ROUTES}` : null),
  load: (id) => (id === `\0${ROUTES}` ? `export const routes = ${JSON.stringify(routes())};` : null),
};

/** Inside an element of script, these would end the element or begin a comment. In strings and patterns the escapes mean the same. */
const inScript = (code: string): string =>
  code
    .replaceAll(/<\/(script)/gi, '<\\/$1')
    .replaceAll('<!--', '\\x3c!--')
    .replaceAll(/<(script)/gi, '\\x3c$1');

const inStyle = (css: string): string => css.replaceAll(/<\/(style)/gi, '<\\/$1');

const pageOf = (name: keyof typeof VIEWS, code: string, css: string): string => `<!doctype html>
<html lang="en" data-view="${name}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${VIEWS[name]} · Errand</title>
<style>${inStyle(css)}</style>
</head>
<body>
<div id="root"></div>
<script type="module">${inScript(code)}</script>
</body>
</html>
`;

/** Builds the views that a chat shows: pages of the web board, each in one file. Returns the modules that are inside. */
export async function buildViews(into: string): Promise<readonly string[]> {
  const built = await build({
    configFile: join(WEB, 'vite.config.ts'),
    logLevel: 'warn',
    plugins: [toolRoutes],
    build: {
      write: false,
      cssCodeSplit: false,
      rolldownOptions: { input: join(WEB, 'src/views/main.tsx'), output: { codeSplitting: false } },
    },
  });
  // The cast: Vite answers a watcher only when it is told to watch.
  const parts = ([built].flat() as readonly Rolldown.RolldownOutput[]).flatMap(({ output }) => output);
  const chunks = parts.filter((part) => part.type === 'chunk');
  const styles = parts.filter((part) => part.type === 'asset' && part.fileName.endsWith('.css'));
  const [chunk] = chunks;
  if (chunk === undefined || parts.length !== chunks.length + styles.length || chunks.length > 1) {
    throw new Error(`A view must be one script: ${parts.map(({ fileName }) => fileName).join(', ')}.`);
  }
  const css = styles.map((style) => (style.type === 'asset' ? String(style.source) : '')).join('\n');
  mkdirSync(into, { recursive: true });
  for (const name of ['board', 'task'] as const) {
    writeFileSync(join(into, `${name}.html`), pageOf(name, chunk.code, css));
  }
  return chunk.moduleIds;
}
