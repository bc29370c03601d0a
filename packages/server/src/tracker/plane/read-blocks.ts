import { createHash } from 'node:crypto';
import clean from 'sanitize-html';
import { type Block, DetailLayout, layoutOf } from '#domain/blocks';
import { SECTION_ID } from './blocks-html.ts';

const MOST_TAGS = 20_000;
const MARK = /^errand-(text|checker|item)-([\w.:-]{1,64})$/;
const ID = /^[\w.:-]{1,64}$/;
const TOKEN = /<(?<slash>\/?)(?<tag>[a-z0-9]+)(?<attributes>[^>]*)>|[^<]+/g;
const HEADING = /^h[1-6]$/;
const LINES: ReadonlySet<string> = new Set(['p', 'pre', 'blockquote', 'li', 'tr']);
const SIGNS: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

interface Draft {
  readonly id: string | null;
  /** Written by Errand, and not by a person in Plane. */
  readonly is_ours: boolean;
  type: 'text' | 'checker' | null;
  title: string | undefined;
  readonly paragraphs: string[];
  readonly items: { readonly id: string | null; text: string; readonly checked: boolean }[];
}

/** Null for one that is not there; a bare one is empty. */
function attribute(attributes: string, name: string): string | null {
  const found = new RegExp(` ${name}(?:="([^"]*)")?(?= |$)`).exec(attributes);
  return found === null ? null : (found[1] ?? '');
}

/** What Plane's editor gives an element of its own is a good id too. */
const idOf = (data_id: string): string | null => MARK.exec(data_id)?.[2] ?? (ID.test(data_id) ? data_id : null);

const typeOf = (data_id: string): 'text' | 'checker' | null => {
  const type = MARK.exec(data_id)?.[1];
  return type === 'text' || type === 'checker' ? type : null;
};

/** Reads a section element by element. People may have changed it, so anything may come in any order. */
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
    if (data_id === SECTION_ID) {
      write = () => {};
      return;
    }
    const draft = start(data_id, typeOf(data_id));
    draft.title = '';
    write = (text) => {
      draft.title += text;
    };
  };

  // A line after a list of checks is no part of it: it begins a text of its own.
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
      // The editor in a browser writes the word, the one on a server a bare attribute or none.
      reader.item(data_id, checked === 'true' || checked === '');
    } else if (LINES.has(tag) && listItem === null) {
      reader.line(data_id, tag === 'li' ? '- ' : '');
      if (tag === 'li') listItem = 'bullet';
    }
  }
  return reader.drafts;
}

/** Ids for what has none: the same as long as its words are. */
function createIds() {
  const taken = new Set<string>();
  return (wanted: string | null, words: string): string => {
    let id = wanted ?? '';
    for (let round = 0; id === '' || taken.has(id); round++)
      id = `plane-${createHash('sha256').update(`${round}:${words}`).digest('hex').slice(0, 16)}`;
    taken.add(id);
    return id;
  };
}

function blocksOfDrafts(drafts: readonly Draft[]): readonly Block[] {
  const idFor = createIds();
  return drafts.flatMap(({ id, is_ours, type, title, ...content }): readonly Block[] => {
    const text = content.paragraphs.join('\n\n').trim();
    const items = content.items.filter((item) => item.text.trim() !== '');
    // An empty line that the editor leaves behind is no block.
    if (!is_ours && title === undefined && text === '' && items.length === 0) return [];
    const heading = title === undefined ? {} : { title: title.trim() };
    if (type !== 'checker') return [{ id: idFor(id, `${title} ${text}`), type: 'text', ...heading, text }];
    const checker = { id: idFor(id, `${title} ${items[0]?.text}`), type, ...heading };
    const withIds = items.map((item) => ({
      id: idFor(item.id, item.text),
      text: item.text.trim(),
      checked: item.checked,
    }));
    return [{ ...checker, items: withIds }];
  });
}

/** The blocks in a section of Plane; null when it holds more than blocks can. */
export function readBlocks(section: string): DetailLayout | null {
  if ((section.match(/</g)?.length ?? 0) > MOST_TAGS) return null;
  const html = clean(section, {
    allowedTags: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'pre', 'blockquote', 'ul', 'ol', 'li', 'tr', 'br'],
    allowedAttributes: { '*': ['data-id', 'data-type', 'data-checked'] },
    nestingLimit: 100,
  });
  return DetailLayout.safeParse(layoutOf(blocksOfDrafts(draftsIn(html)))).data ?? null;
}
