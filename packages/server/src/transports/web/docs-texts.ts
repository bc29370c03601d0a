import { type DocSection, findFile, findPage, llmsText, readDocs } from './docs.ts';
import { docsIndexPage, docsPage, markdownOf } from './docs-page.ts';
import { type FoundDoc, searchDocs } from './docs-search.ts';

/** The placeholder for the server's own address until the request is known. No real name ends in `.invalid`. */
const PLACEHOLDER = 'http://errand.invalid';

/** A finished text, cut where the server's address is inserted. */
type Pieces = readonly string[];

export interface DocsTexts {
  readonly index: (origin: string) => Promise<string>;
  readonly llms: (origin: string) => Promise<string>;
  /** What the documentation says about some words. */
  readonly search: (query: string) => Promise<readonly FoundDoc[]>;
  /** Undefined when there is nothing under that name. */
  readonly page: (name: string, origin: string) => Promise<string | undefined>;
  readonly markdown: (name: string, origin: string) => Promise<string | undefined>;
  readonly file: (name: string, origin: string) => Promise<{ text: string; type: string } | undefined>;
}

/**
 * The documentation as it is sent. Each text is made once, and the requested address is inserted
 * afterwards: rendering a page for every address would cost as much as hundreds of calls, and callers choose the address.
 */
export function createDocsTexts(version: string, folder?: string): DocsTexts {
  const made = new Map<string, Promise<Pieces>>();
  let read: Promise<readonly DocSection[]> | undefined;
  const sections = (): Promise<readonly DocSection[]> => {
    read ??= readDocs(PLACEHOLDER, folder);
    return read;
  };

  async function filled(key: string, origin: string, make: () => unknown): Promise<string> {
    const pieces = made.get(key) ?? Promise.resolve(make()).then((text) => String(text).split(PLACEHOLDER));
    made.set(key, pieces);
    return (await pieces).join(origin);
  }

  return {
    index: async (origin) => {
      const all = await sections();
      return filled('index', origin, () => docsIndexPage(all, version));
    },
    search: async (query) => searchDocs(await sections(), query),
    llms: async (origin) => {
      const all = await sections();
      return filled('llms', origin, () => llmsText(all, PLACEHOLDER));
    },
    page: async (name, origin) => {
      const all = await sections();
      const found = findPage(all, name);
      return found && filled(`page ${name}`, origin, () => docsPage(all, found, version));
    },
    markdown: async (name, origin) => {
      const found = findPage(await sections(), name);
      return found && filled(`markdown ${name}`, origin, () => markdownOf(found));
    },
    file: async (name, origin) => {
      const found = findFile(await sections(), name);
      return found && { type: found.type, text: await filled(`file ${name}`, origin, () => found.text) };
    },
  };
}
