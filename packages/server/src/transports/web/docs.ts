import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface DocPage {
  readonly name: string;
  readonly title: string;
  /** The first sentence, which says what the page is about. */
  readonly summary: string;
  readonly text: string;
}

/** A text for programs: sent as a file, not shown as a page. */
export interface DocFile {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly type: string;
  readonly text: string;
}

export interface DocSection {
  readonly title: string;
  readonly pages: readonly DocPage[];
  readonly files: readonly DocFile[];
}

const SECTIONS = [
  {
    title: 'Guide',
    folder: 'guide',
    first: ['getting-started', 'todo', 'tasker', 'executions', 'events', 'tokens', 'mcp', 'rest', 'operating'],
    files: [],
  },
  {
    title: 'Reference',
    folder: 'reference',
    first: ['tools', 'cli', 'configuration', 'errors'],
    files: [
      {
        name: 'swagger.yaml',
        title: 'Task Manager API',
        summary: 'What runs are reported to, as an OpenAPI document.',
        type: 'application/yaml',
      },
    ],
  },
] as const;

/** The addresses in the source of the documentation. */
const WRITTEN_FOR = /http:\/\/(?:127\.0\.0\.1|localhost):8080/g;

/** In the package, beside the bundle; at the root of the checkout when the program runs from source. */
export function docsFolder(): string {
  const folders = ['docs', '../docs', '../../../../../docs'].map((path) => join(import.meta.dirname, path));
  return folders.find((folder) => existsSync(join(folder, 'guide'))) ?? '';
}

const plain = (markdown: string): string => markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll(/[`*]/g, '');

function pageOf(name: string, text: string): DocPage {
  const [, title = name] = /^# (.+)$/m.exec(text) ?? [];
  const paragraphs = text.split(/\n{2,}/).map((part) => part.trim());
  const summary = paragraphs.find((part) => /^[A-Za-z`[]/.test(part)) ?? '';
  const [sentence = ''] = plain(summary)
    .replaceAll('\n', ' ')
    .split(/(?<=\.)\s/);
  return { name, title: plain(title), summary: sentence, text };
}

/** The position of a page in its section: in the order above; other pages follow by name. */
const rank = (first: readonly string[], name: string): number =>
  first.includes(name) ? first.indexOf(name) : first.length;

async function namesIn(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const files = await readdir(folder);
  return files.flatMap((file) => (/^[a-z0-9-]+\.md$/.test(file) ? [file.slice(0, -'.md'.length)] : [])).sort();
}

async function fileOf(folder: string, file: Omit<DocFile, 'text'>, origin: string): Promise<readonly DocFile[]> {
  const path = join(folder, file.name);
  if (!existsSync(path)) return [];
  return [{ ...file, text: (await readFile(path, 'utf8')).replaceAll(WRITTEN_FOR, origin) }];
}

/** Reads the documentation that is installed with this program, with the server's own address in its examples. */
export async function readDocs(origin: string, folder: string = docsFolder()): Promise<readonly DocSection[]> {
  const sections = SECTIONS.map(async ({ title, folder: part, first, files }): Promise<DocSection> => {
    const names = [...(await namesIn(join(folder, part)))].sort((a, b) => rank(first, a) - rank(first, b));
    const pages = names.map(async (name) => {
      const text = await readFile(join(folder, part, `${name}.md`), 'utf8');
      return pageOf(name, text.replaceAll(WRITTEN_FOR, origin));
    });
    const found = files.map((file) => fileOf(folder, file, origin));
    return { title, pages: await Promise.all(pages), files: (await Promise.all(found)).flat() };
  });
  return (await Promise.all(sections)).filter(({ pages }) => pages.length > 0);
}

export const findPage = (sections: readonly DocSection[], name: string): DocPage | undefined =>
  sections.flatMap(({ pages }) => pages).find((page) => page.name === name);

export const findFile = (sections: readonly DocSection[], name: string): DocFile | undefined =>
  sections.flatMap(({ files }) => files).find((file) => file.name === name);

/** The index for language models. */
export const llmsText = (sections: readonly DocSection[], origin: string): string =>
  [
    '# Errand',
    '> The task server for AI agents: durable tasks over MCP, REST and the command line.',
    ...sections.map(({ title, pages, files }) =>
      [
        `## ${title}`,
        '',
        ...pages.map((page) => `- [${page.title}](${origin}/docs/${page.name}.md): ${page.summary}`),
        ...files.map((file) => `- [${file.title}](${origin}/docs/${file.name}): ${file.summary}`),
      ].join('\n'),
    ),
  ]
    .join('\n\n')
    .concat('\n');
