const EVERYWHERE = [
  ...['class', 'id', 'title', 'role', 'aria-label', 'aria-hidden', 'style', 'start', 'type', 'xmlns'],
  ...['data-tight', 'data-node-type', 'data-type', 'data-checked', 'data-background-color', 'data-text-color'],
  ...['data-name', 'data-id', 'data-icon-name', 'data-icon-color', 'data-background', 'data-emoji-unicode'],
  ...['data-emoji-url', 'data-logo-in-use', 'data-block-type'],
];

const OF_TAG: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'target'],
  img: ['width', 'height', 'aspectratio', 'alignment', 'src', 'alt'],
  'image-component': ['width', 'height', 'aspectratio', 'src', 'alignment', 'status'],
  'mention-component': ['entity_identifier', 'entity_name'],
  th: ['colspan', 'rowspan', 'colwidth', 'background'],
  td: ['colspan', 'rowspan', 'colwidth', 'background', 'textcolor'],
  tr: ['background', 'textcolor'],
  pre: ['language'],
  code: ['language', 'spellcheck'],
  input: ['checked'],
};

const TAGS = new Set(
  (
    'a abbr acronym area article aside b bdi bdo blockquote br caption center cite code col colgroup data dd del ' +
    'details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li map mark ' +
    'nav ol p pre q rp rt rtc ruby s samp small span strike strong sub summary sup table tbody td th thead time tr ' +
    'tt u ul var wbr mention-component label input image-component'
  ).split(' '),
);
const BLOCKS = new Set(
  'address article aside blockquote div dl form h1 h2 h3 h4 h5 h6 hr ol p pre section table ul'.split(' '),
);
const VOID = new Set('area br col hr img input wbr'.split(' '));
const DROPPED_WHOLE = new Set(['script', 'style']);

const TOKEN =
  /<!--[\s\S]*?-->|<(?<close>\/?)(?<name>[a-z][\w-]*)(?<attributes>(?:[^<>"']|"[^"]*"|'[^']*')*)>|[^<]+|</gi;
const ATTRIBUTE = /([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
const SCHEME = /^\s*([a-z][a-z0-9+.-]*):/i;

interface Token {
  readonly kind: 'open' | 'close' | 'text';
  readonly name: string;
  readonly text: string;
}

/** Splits HTML into tags and text, without comments and the contents of scripts and styles. */
function tokens(html: string): readonly Token[] {
  const found: Token[] = [];
  let dropping: string | null = null;
  for (const { 0: whole, groups } of html.matchAll(TOKEN)) {
    const name = groups?.name?.toLowerCase();
    if (dropping !== null) {
      if (groups?.close && name === dropping) dropping = null;
    } else if (whole.startsWith('<!--')) continue;
    else if (name === undefined) found.push({ kind: 'text', name: '', text: whole });
    else if (groups?.close) found.push({ kind: 'close', name, text: '' });
    else {
      found.push({ kind: 'open', name, text: groups?.attributes ?? '' });
      if (DROPPED_WHOLE.has(name)) dropping = name;
    }
  }
  return found;
}

const escaped = (text: string): string =>
  text
    .replaceAll(/&(?!#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u00a0', '&nbsp;')
    .replaceAll('\u0000', '\ufffd');

function attributesOf(name: string, text: string): string {
  const kept = [...text.matchAll(ATTRIBUTE)].flatMap(([, key = '', double, single, bare]) => {
    const attribute = key.toLowerCase();
    // lxml writes `checked` without a value, whatever it was set to.
    const value = attribute === 'checked' ? '' : (double ?? single ?? bare ?? '');
    if (!EVERYWHERE.includes(attribute) && !OF_TAG[name]?.includes(attribute)) return [];
    const scheme = attribute === 'href' || attribute === 'src' ? SCHEME.exec(value)?.[1]?.toLowerCase() : undefined;
    if (scheme !== undefined && !['http', 'https', 'mailto', 'tel'].includes(scheme)) return [];
    return [` ${attribute}="${value.replaceAll('"', '&quot;')}"`];
  });
  return kept.join('') + (name === 'a' ? ' rel="noopener noreferrer"' : '');
}

/** Returns the root that lxml adds to a fragment of several nodes: `div` if there is a block element, else `span`. */
function rootOf(all: readonly Token[]): string | null {
  let depth = 0;
  const top: string[] = [];
  for (const { kind, name, text } of all) {
    if (depth === 0 && (kind === 'open' || (kind === 'text' && text.trim() !== ''))) top.push(name);
    if (kind === 'open' && !VOID.has(name)) depth += 1;
    if (kind === 'close' || DROPPED_WHOLE.has(name)) depth = Math.max(0, depth - 1);
  }
  if (top.length === 1 && top[0] !== '') return null;
  return top.some((name) => BLOCKS.has(name)) ? 'div' : 'span';
}

/** Returns a description as Plane stores it; null when Plane does not accept it as HTML. */
export function cleaned(html: string): string | null {
  const all = tokens(html);
  if (!all.some(({ kind, text }) => kind === 'open' || text.trim() !== '')) return null;
  const open: string[] = [];
  let out = '';
  for (const { kind, name, text } of all) {
    if (kind === 'text') out += escaped(text);
    else if (!TAGS.has(name)) continue;
    else if (kind === 'open') {
      out += `<${name}${attributesOf(name, text)}>`;
      if (!VOID.has(name)) open.push(name);
    } else if (open.includes(name)) {
      while (open.at(-1) !== name) out += `</${open.pop()}>`;
      out += `</${open.pop()}>`;
    }
  }
  while (open.length > 0) out += `</${open.pop()}>`;
  const root = rootOf(all);
  return root === null ? out : `<${root}>${out}</${root}>`;
}
