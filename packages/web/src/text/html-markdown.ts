/** Comments and blocks of other clients are simple HTML that the server has cleaned: it is read as Markdown, never as HTML. */

const TAG = /<(\/?)([a-z][a-z0-9]*)([^>]*)>/gi;
const HREF = /href="([^"]*)"/i;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
/** Characters that mean something in Markdown, where the author wrote HTML and meant only the character. */
const SPECIAL = /[\\`*_[\]<>#|~]/g;

export const isHtml = (text: string): boolean => /<\/?[a-z][a-z0-9]*[^>]*>/i.test(text);

export function decoded(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Text as HTML that means the same, for the calls that take HTML. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const INLINE: Readonly<Record<string, string>> = {
  strong: '**',
  b: '**',
  em: '*',
  i: '*',
  s: '~~',
  del: '~~',
  code: '`',
};

interface OpenElements {
  /** Null for a list without numbers. */
  readonly lists: (number | null)[];
  in_pre: boolean;
  in_code: boolean;
  href: string | null;
}

function words(text: string, { in_pre, in_code }: OpenElements): string {
  const plain = decoded(text);
  if (in_pre || in_code) return plain;
  return plain.replace(/\s+/g, ' ').replace(SPECIAL, '\\$&');
}

function bullet({ lists }: OpenElements): string {
  const indent = '  '.repeat(Math.max(0, lists.length - 1));
  const number = lists.at(-1);
  if (number === undefined || number === null) return `\n${indent}- `;
  lists[lists.length - 1] = number + 1;
  return `\n${indent}${number}. `;
}

function opening(name: string, attributes: string, place: OpenElements): string {
  if (name in INLINE) {
    if (name === 'code') place.in_code = true;
    return name === 'code' && place.in_pre ? '' : (INLINE[name] ?? '');
  }
  if (name === 'br') return place.in_pre ? '\n' : '\\\n';
  if (name === 'hr') return '\n\n---\n\n';
  if (name === 'blockquote') return '\n\n> ';
  if (name === 'li') return bullet(place);
  if (/^h[1-6]$/.test(name)) return `\n\n${'#'.repeat(Number(name[1]))} `;
  if (name === 'ul' || name === 'ol') {
    place.lists.push(name === 'ol' ? 1 : null);
    return place.lists.length === 1 ? '\n\n' : '';
  }
  if (name === 'pre') {
    place.in_pre = true;
    return '\n\n```\n';
  }
  if (name === 'a') {
    place.href = decoded(HREF.exec(attributes)?.[1] ?? '');
    return '[';
  }
  if (name === 'td' || name === 'th') return ' ';
  return name === 'p' && place.lists.length > 0 ? '' : '\n\n';
}

function closing(name: string, place: OpenElements): string {
  if (name in INLINE) {
    if (name === 'code') place.in_code = false;
    return name === 'code' && place.in_pre ? '' : (INLINE[name] ?? '');
  }
  if (name === 'ul' || name === 'ol') {
    place.lists.pop();
    return '\n';
  }
  if (name === 'pre') {
    place.in_pre = false;
    return '\n```\n\n';
  }
  if (name === 'a') {
    const { href } = place;
    place.href = null;
    return href ? `](<${href.replaceAll(/[<>\s]/g, encodeURIComponent)}>)` : ']';
  }
  return /^(?:p|h[1-6]|blockquote|tr)$/.test(name) && place.lists.length === 0 ? '\n\n' : '';
}

/** The Markdown of a text that may be HTML. A text without tags is Markdown already. */
export function markdownOf(text: string): string {
  if (!isHtml(text)) return decoded(text);
  const place: OpenElements = { lists: [], in_pre: false, in_code: false, href: null };
  let markdown = '';
  let at = 0;
  for (const found of text.matchAll(TAG)) {
    const [tag, slash, name = '', attributes = ''] = found;
    markdown += words(text.slice(at, found.index), place);
    markdown += slash === '/' ? closing(name.toLowerCase(), place) : opening(name.toLowerCase(), attributes, place);
    at = found.index + tag.length;
  }
  markdown += words(text.slice(at), place);
  return markdown.replace(/\n{3,}/g, '\n\n').trim();
}
