import clean from 'sanitize-html';
import type { z } from 'zod';
import { ELEMENT_NAMES } from './element-names.ts';
import { visible } from './visible-text.ts';

const TAGS = [
  ...['p', 'br', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'strong', 'b', 'em', 'i', 'u', 's', 'del', 'code', 'pre'],
  ...['blockquote', 'ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'hr', 'a'],
];
// The content of these elements is not readable text, or browsers parse it differently from our parser.
const NOT_TEXT = [
  ...['script', 'style', 'textarea', 'option', 'select', 'noscript', 'xmp', 'title', 'iframe', 'noembed', 'noframes'],
  ...['template', 'plaintext', 'svg', 'math', 'object', 'embed', 'applet', 'audio', 'video', 'canvas', 'head'],
];
const MAX_DEPTH = 100;
const MAX_ELEMENTS = 10_000;

// Browsers ignore tabs and line ends inside a URL, so they are removed before the scheme is read.
const LINE_ENDS = /[\t\n\r]/g;
const SAFE_HREF = /^(?:https?:\/\/|mailto:)[^\s/\\]\S*$/i;
const CELLS = /^[1-9]\d{0,2}$/;

function kept(tag: string, attributes: clean.Attributes): clean.Attributes {
  const { href = '', colspan = '', rowspan = '', 'data-type': type, 'data-checked': checked } = attributes;
  if (tag === 'a') {
    const address = visible(href).replace(LINE_ENDS, '').trim();
    return SAFE_HREF.test(address) ? { href: address, rel: 'noopener noreferrer nofollow' } : {};
  }
  if (tag === 'td' || tag === 'th') {
    return { ...(CELLS.test(colspan) && { colspan }), ...(CELLS.test(rowspan) && { rowspan }) };
  }
  if (tag === 'ul' && type === 'taskList') return { 'data-type': type };
  if (tag === 'li' && (checked === 'true' || checked === 'false')) return { 'data-checked': checked };
  return {};
}

const RULES: clean.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: {
    a: ['href', 'rel'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
    ul: ['data-type'],
    li: ['data-checked'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  nonTextTags: NOT_TEXT,
  nestingLimit: MAX_DEPTH,
  transformTags: { '*': (tagName, attributes) => ({ tagName, attribs: kept(tagName, attributes) }) },
};

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

// At each end tag the parser searches all open elements: without a limit its time grows with the product of both.
const hasTooManyTags = (html: string): boolean => {
  const opened = count(html, /<[a-z]/gi);
  return opened > MAX_ELEMENTS || opened + count(html, /<\//g) > 2 * MAX_ELEMENTS;
};

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string): string => visible(text).replaceAll(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign);

/** Sanitized HTML. Only the sanitizer may create this type. */
export type CleanHtml = string & z.core.$brand<'CleanHtml'>;

const MAYBE_TAG = /<(\/?[a-z][^\s/<>]*)(?=[^<>]*([<>]|$))/gi;

/** Escapes a `<` that can be no tag, as in `Map<string>` or `a<b`: the parser would take the words after it away. */
const withSignsAsText = (html: string): string =>
  html.replaceAll(MAYBE_TAG, (found, name: string, end: string) => {
    const isTag = end === '>' && ELEMENT_NAMES.has(name.replace('/', '').toLowerCase());
    return isTag ? found : `&lt;${name}`;
  });

/** Sanitizes HTML to the marks of written text. HTML with too many tags becomes text that shows them. */
export function sanitizeHtml(html: string): CleanHtml {
  // Safe: no tag is left.
  if (hasTooManyTags(html)) return escaped(html) as CleanHtml;
  const once = visible(clean(withSignsAsText(html), RULES));
  // Removing a tag moves its children into another parent, which may close them earlier, so repeat until nothing changes.
  const twice = clean(once, RULES);
  // Safe, like the one above: clean, or without a tag.
  return (hasTooManyTags(twice) ? escaped(html) : twice) as CleanHtml;
}

const TAG_OR_TEXT = /<(\/?)([a-z0-9]+)[^>]*>|[^<]+/g;
const OWN_LINE: ReadonlySet<string> = new Set([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'blockquote', 'ul', 'ol', 'li', 'table', 'tr', 'hr'],
]);
const SIGNS: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** The readable text: each paragraph, heading, list item and row on its own line, cells separated by tabs. */
export function textOfClean(html: CleanHtml): string {
  const parts: string[] = [];
  let preformatted = 0;
  let gap = true;
  let lineStart = true;
  const write = (part: string): void => {
    if (part === '') return;
    parts.push(part);
    lineStart = part.endsWith('\n');
    gap = /\s$/.test(part);
  };

  for (const [part, slash, tag = ''] of html.matchAll(TAG_OR_TEXT)) {
    if (tag === 'br' || (OWN_LINE.has(tag) && !lineStart)) write('\n');
    else if (slash === '/' && (tag === 'td' || tag === 'th')) write('\t');
    else if (tag === '' && preformatted > 0) write(part);
    else if (tag === '') write(part.replaceAll(/\s+/g, ' ').slice(gap && /^\s/.test(part) ? 1 : 0));
    if (tag === 'pre') preformatted += slash === '/' ? -1 : 1;
  }
  const lines = parts.join('').split('\n');
  const text = lines.map((line) => line.trimEnd()).join('\n');
  return visible(text.trim().replaceAll(/&(?:amp|lt|gt);/g, (entity) => SIGNS[entity] ?? entity));
}

/** Plain text as HTML: a blank line separates paragraphs, a line end becomes a line break. */
// Safe: the text is escaped, and the only tags are those written here.
export const htmlOf = (text: string): CleanHtml =>
  escaped(text)
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${paragraph.trim().replaceAll('\n', '<br />')}</p>`)
    .join('') as CleanHtml;
