import { createHash } from 'node:crypto';
import clean from 'sanitize-html';
import { BLOCK_ID, type Block, DetailLayout, layoutOf, MAX_BLOCKS, MAX_ITEMS } from '#domain/blocks';
import { isSectionId } from './blocks-html.ts';

const MAX_TAGS = 20_000;
// The longest blocks are shorter than this as HTML, including what the editor adds.
const MAX_CHARACTERS = 600_000;
const MARK = /^errand-(text|checker|item)-(.+)$/;
const TOKEN = /<(?<slash>\/?)(?<tag>[a-z0-9]+)(?<attributes>[^>]*)>|[^<]+/g;
const HEADING = /^h[1-6]$/;
const LINES: ReadonlySet<string> = new Set(['p', 'pre', 'blockquote', 'li', 'tr']);
const SIGNS: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

interface Draft {
  readonly id: string | null;
  /** Whether Errand wrote it, not a person in Plane. */
  readonly is_ours: boolean;
  type: 'text' | 'checker' | null;
  title: string | undefined;
  readonly paragraphs: string[];
  readonly items: { readonly id: string | null; text: string; readonly checked: boolean }[];
}

/** The value of an attribute: null when it is missing, empty for a bare one. */
function attribute(attributes: string, name: string): string | null {
  const found = new RegExp(` ${name}(?:="([^"]*)")?(?= |$)`).exec(attributes);
  return found === null ? null : (found[1] ?? '');
}

/** The type and id in one of Errand's marks; nothing in any other. */
function markIn(data_id: string): { readonly type?: string; readonly id?: string } {
  const [, type = '', id = ''] = MARK.exec(data_id) ?? [];
  return BLOCK_ID.test(id) ? { type, id } : {};
}

/** An id that Plane's editor gave an element can be used too. */
const idOf = (data_id: string): string | null => markIn(data_id).id ?? (BLOCK_ID.test(data_id) ? data_id : null);

const typeOf = (data_id: string): 'text' | 'checker' | null => {
  const { type } = markIn(data_id);
  return type === 'text' || type === 'checker' ? type : null;
};

/** Reads a section element by element. People may have edited it, so anything may come in any order. */
function createReader() {
  const drafts: Draft[] = [];
  let write: ((text: string) => void) | null = null;

  const start = (data_id: string, type: Draft['type']): Draft => {
    const is_ours = typeOf(data_id) !== null;
    const draft: Draft = { id: idOf(data_id), is_ours, type, title: undefined, paragraphs: [], items: [] };
    drafts.push(draft);
    return draft;
  };

  const heading = (data_id: string): void => {
    if (isSectionId(data_id)) {
      write = () => {};
      return;
    }
    const draft = start(data_id, typeOf(data_id));
    draft.title = '';
    write = (text) => {
      draft.title += text;
    };
  };

  // A line after a checklist is not part of it: it begins a text block.
  const line = (data_id: string, bullet: string): void => {
    const last = drafts.at(-1);
    const isNew = last === undefined || last.type === 'checker' || typeOf(data_id) === 'text';
    const draft = isNew ? start(data_id, 'text') : last;
    draft.type = 'text';
    const index = draft.paragraphs.push(bullet) - 1;
    write = (text) => {
      draft.paragraphs[index] += text;
    };
  };

  const list = (data_id: string): void => {
    const last = drafts.at(-1);
    if (last !== undefined && last.type !== 'text' && typeOf(data_id) !== 'checker') last.type = 'checker';
    else start(data_id, 'checker');
  };

  const item = (data_id: string, checked: boolean): void => {
    const last = drafts.at(-1);
    const draft = last?.type === 'checker' ? last : start('', 'checker');
    const entry = { id: idOf(data_id), text: '', checked };
    draft.items.push(entry);
    write = (text) => {
      entry.text += text;
    };
  };

  return {
    drafts,
    heading,
    line,
    list,
    item,
    text: (text: string): void => write?.(text),
    end: (): void => {
      write = null;
    },
  };
}

function draftsIn(html: string): readonly Draft[] {
  const reader = createReader();
  let listItem: 'check' | 'bullet' | null = null;
  for (const { 0: whole, groups } of html.matchAll(TOKEN)) {
    const { slash, tag, attributes = '' } = groups ?? {};
    const data_id = attribute(attributes, 'data-id') ?? '';
    const checked = attribute(attributes, 'data-checked');
    const type = attribute(attributes, 'data-type');
    if (tag === undefined) reader.text(whole.replaceAll(/&(?:amp|lt|gt|quot);/g, (sign) => SIGNS[sign] ?? sign));
    else if (tag === 'br') reader.text('\n');
    else if (slash) {
      if (tag === 'li') listItem = null;
      if (listItem === null) reader.end();
    } else if (HEADING.test(tag)) reader.heading(data_id);
    else if (tag === 'ul' && type === 'taskList') reader.list(data_id);
    else if (tag === 'li' && (type === 'taskItem' || checked !== null)) {
      listItem = 'check';
      // The browser's editor writes the value, the server's editor a bare attribute or none.
      reader.item(data_id, checked === 'true' || checked === '');
    } else if (LINES.has(tag) && listItem === null) {
      reader.line(data_id, tag === 'li' ? '- ' : '');
      if (tag === 'li') listItem = 'bullet';
    }
  }
  return reader.drafts;
}

/** Makes ids for blocks without one: stable while the text is the same. */
function createIds() {
  const taken = new Set<string>();
  // Counted per text: searching from the first each time would be quadratic for many equal texts.
  const rounds = new Map<string, number>();
  return (wanted: string | null, words: string): string => {
    let id = wanted ?? '';
    while (id === '' || taken.has(id)) {
      const round = rounds.get(words) ?? 0;
      rounds.set(words, round + 1);
      id = `plane-${createHash('sha256').update(`${round}:${words}`).digest('hex').slice(0, 16)}`;
    }
    taken.add(id);
    return id;
  };
}

interface Found {
  readonly draft: Draft;
  readonly text: string;
  readonly items: Draft['items'];
}

/** The blocks of a draft; none for an empty line that the editor leaves behind. */
function foundIn(draft: Draft): readonly Found[] {
  const text = draft.paragraphs.join('\n\n').trim();
  const items = draft.items.filter((item) => item.text.trim() !== '');
  const isNothing = !draft.is_ours && draft.title === undefined && text === '' && items.length === 0;
  return isNothing ? [] : [{ draft, text, items }];
}

function blocksOfFound(found: readonly Found[]): readonly Block[] {
  const idFor = createIds();
  return found.map(({ draft: { id, type, title }, text, items }): Block => {
    const heading = title === undefined ? {} : { title: title.trim() };
    if (type !== 'checker') return { id: idFor(id, `${title} ${text}`), type: 'text', ...heading, text };
    const checker = { id: idFor(id, `${title} ${items[0]?.text}`), type, ...heading };
    const withIds = items.map((item) => ({
      id: idFor(item.id, item.text),
      text: item.text.trim(),
      checked: item.checked,
    }));
    return { ...checker, items: withIds };
  });
}

/** The blocks in a section of Plane; null when it holds more than blocks. */
export function readBlocks(section: string): DetailLayout | null {
  if (section.length > MAX_CHARACTERS || (section.match(/</g)?.length ?? 0) > MAX_TAGS) return null;
  const html = clean(section, {
    allowedTags: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'pre', 'blockquote', 'ul', 'ol', 'li', 'tr', 'br'],
    allowedAttributes: { '*': ['data-id', 'data-type', 'data-checked'] },
    nestingLimit: 100,
  });
  const found = draftsIn(html).flatMap(foundIn);
  if (found.length > MAX_BLOCKS || found.some(({ items }) => items.length > MAX_ITEMS)) return null;
  return DetailLayout.safeParse(layoutOf(blocksOfFound(found))).data ?? null;
}
