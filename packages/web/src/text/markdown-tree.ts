import { Lexer, type Token } from 'marked';

/**
 * Markdown as a tree of plain values. Text of agents and users comes through here, so the tree knows no HTML, no image
 * and no address but http, https and mailto; what it does not know stays text.
 */
export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'break' | 'rule' }
  | { readonly kind: 'code' | 'pre'; readonly text: string; readonly language?: string | undefined }
  | { readonly kind: 'strong' | 'em' | 'del' | 'paragraph' | 'quote'; readonly children: readonly Node[] }
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Node[] }
  | { readonly kind: 'link'; readonly href: string; readonly target: string; readonly children: readonly Node[] }
  | { readonly kind: 'list'; readonly start: number | undefined; readonly items: readonly Item[] }
  | { readonly kind: 'table'; readonly head: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] };

export interface Item {
  readonly checked: boolean | undefined;
  readonly children: readonly Node[];
}

export interface Cell {
  readonly align: 'left' | 'right' | 'center' | undefined;
  readonly children: readonly Node[];
}

export interface Tree {
  readonly nodes: readonly Node[];
  /** Whether the text was longer than MAX_CHARACTERS and its end is left out. */
  readonly cut: boolean;
}

/** Bounds of one text. Beyond them reading takes the browser's time, or its stack. */
export const MAX_CHARACTERS = 64_000;
export const MAX_DEPTH = 12;
export const MAX_NODES = 10_000;
/** The lexer reads the lines of a list again for each of them: 12,800 lines took it four seconds. */
export const MAX_LINES = 4_000;

/**
 * Marks that begin a nested block, repeated more often than any writer does: the lexer would recurse for each. The spaces
 * between two marks belong to the first alone: when they could belong to either, fourteen marks took four minutes.
 */
const DEEP = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*){16,}/m;
/** Signs that make the lexer look for their partner in the rest of the line. */
const SIGNS = /[*_~`[\]!<@&\\]/g;
const RUNS = /\s+|\S+/g;
/**
 * What reading the lines of one text may cost, counted as length times signs and longest run of letters or spaces: the lexer is
 * quadratic in all of them. 64,000 characters of `**a* ` took it two minutes; lines beyond this are shown as they were written.
 */
const MAX_COST = 8_000_000;
/** Marks that turn the direction of what follows: a link's label could read as another address. */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g;

/** Reads Markdown within the bounds; what goes beyond them stays plain text. */
export function markdownTree(source: string): Tree {
  const cut = source.length > MAX_CHARACTERS;
  const text = (cut ? source.slice(0, MAX_CHARACTERS) : source).replace(TURNS, '').replaceAll('\u0000', '');
  if (DEEP.test(text) || text.split('\n', MAX_LINES + 1).length > MAX_LINES) {
    return { nodes: [{ kind: 'pre', text }], cut };
  }
  let tokens: readonly Token[];
  try {
    tokens = lex(text);
  } catch {
    // The lexer throws on what it cannot end; the writer's words are still shown.
    return { nodes: [{ kind: 'pre', text }], cut };
  }
  return { nodes: new Reader().read(tokens, 0), cut };
}

/** The tokens of a text: blocks first, then the lines in them as long as they are worth their cost. */
function lex(text: string): readonly Token[] {
  const lexer = new Lexer({ gfm: true, breaks: true });
  const blocks = lexer.blockTokens(text.replace(/\r\n?/g, '\n'));
  let left = MAX_COST;
  for (const { src, tokens } of lexer.inlineQueue) {
    left -= costOf(src);
    if (left < 0) {
      tokens.push({ type: 'escape', raw: src, text: src });
    } else {
      lexer.inlineTokens(src, tokens);
    }
  }
  return blocks;
}

function costOf(line: string): number {
  const signs = line.match(SIGNS)?.length ?? 0;
  const longest = (line.match(RUNS) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  return line.length * (signs + longest);
}

const KINDS = { strong: 'strong', em: 'em', del: 'del', blockquote: 'quote' } as const;

class Reader {
  #left = MAX_NODES;

  read(tokens: readonly Token[] | undefined, depth: number): Node[] {
    const nodes: Node[] = [];
    for (const token of tokens ?? []) {
      if (this.#left <= 0) {
        nodes.push({ kind: 'text', text: '…' });
        break;
      }
      this.#left -= 1;
      const node = depth >= MAX_DEPTH ? textOf(token.raw) : this.#node(token, depth + 1);
      if (node !== undefined) {
        nodes.push(node);
      }
    }
    return nodes;
  }

  #node(token: Token, depth: number): Node | undefined {
    switch (token.type) {
      case 'space':
      case 'def':
      case 'checkbox':
        return undefined;
      case 'hr':
        return { kind: 'rule' };
      case 'br':
        return { kind: 'break' };
      case 'code':
        return { kind: 'pre', text: token.text, language: token.lang || undefined };
      case 'codespan':
        return { kind: 'code', text: token.text };
      case 'heading':
        return { kind: 'heading', level: token.depth, children: this.read(token.tokens, depth) };
      case 'paragraph':
        return { kind: 'paragraph', children: this.read(token.tokens, depth) };
      case 'strong':
      case 'em':
      case 'del':
      case 'blockquote':
        return { kind: KINDS[token.type], children: this.read(token.tokens, depth) };
      case 'link':
        return this.#link(token.href, this.read(token.tokens, depth), token.raw);
      case 'image':
        // A picture would be loaded from where its writer wants: its words and its address stand for it.
        return this.#link(token.href, [textOf(token.text || 'image')], token.raw);
      case 'list':
        return {
          kind: 'list',
          start: token.ordered ? Number(token.start) || 1 : undefined,
          items: token.items.map((item: ListItem) => this.#item(item, depth)),
        };
      case 'table':
        return {
          kind: 'table',
          head: token.header.map((cell: TableCell) => this.#cell(cell, depth)),
          rows: token.rows.map((row: readonly TableCell[]) => row.map((cell) => this.#cell(cell, depth))),
        };
      case 'text':
        return token.tokens === undefined
          ? textOf(token.text)
          : { kind: 'paragraph', children: this.read(token.tokens, depth) };
      case 'escape':
        return { kind: 'text', text: token.text };
      default:
        // HTML, and whatever the lexer learns later, is shown as it was written.
        return { kind: 'text', text: token.raw };
    }
  }

  #item(item: ListItem, depth: number): Item {
    return { checked: item.task ? item.checked === true : undefined, children: this.read(item.tokens, depth) };
  }

  #cell(cell: TableCell, depth: number): Cell {
    return { align: cell.align ?? undefined, children: this.read(cell.tokens, depth) };
  }

  #link(address: string, children: readonly Node[], raw: string): Node {
    const safe = safeAddress(address);
    return safe === undefined ? textOf(raw) : { kind: 'link', ...safe, children };
  }
}

interface ListItem {
  readonly task: boolean;
  readonly checked?: boolean | undefined;
  readonly tokens: readonly Token[];
}

interface TableCell {
  readonly align: 'left' | 'right' | 'center' | null;
  readonly tokens: readonly Token[];
}

const ALLOWED = new Set(['http:', 'https:', 'mailto:']);

/** Where a link leads, as the browser will read it, or nothing if the board does not open such addresses. */
export function safeAddress(address: string): { readonly href: string; readonly target: string } | undefined {
  const url = URL.parse(decode(address));
  if (url === null || !ALLOWED.has(url.protocol)) {
    return undefined;
  }
  if (url.protocol === 'mailto:') {
    return { href: url.href, target: url.pathname };
  }
  // A name before the host only serves to look like another host.
  url.username = '';
  url.password = '';
  return { href: url.href, target: `${url.host}${url.pathname === '/' ? '' : url.pathname}${url.search}${url.hash}` };
}

function textOf(text: string): Node {
  return { kind: 'text', text: decode(text) };
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** Character references as the characters that they stand for; React writes them into text, never into markup. */
function decode(text: string): string {
  const decoded = text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) {
      return NAMED[name.toLowerCase()] ?? whole;
    }
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
  // A mark that was written as a reference is a mark only now.
  return decoded.replace(TURNS, '');
}
