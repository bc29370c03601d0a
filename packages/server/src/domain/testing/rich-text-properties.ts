import fc from 'fast-check';
import { sanitizeHtml } from '#domain/rich-text';
import { survivorsIn, XSS_VECTORS } from './xss-vectors.ts';

const ELEMENTS = [
  ...['p', 'br', 'hr', 'h2', 'b', 'em', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'table', 'thead', 'tbody'],
  ...['tr', 'th', 'td', 'a', 'div', 'span', 'script', 'style', 'textarea', 'noscript', 'template', 'title', 'svg'],
  ...['math', 'mtext', 'foreignObject', 'desc', 'select', 'option', 'form', 'iframe', 'xmp', 'img', 'head', 'body'],
];
const ATTRIBUTES = [
  ...[' href="https://ok.example/?a=1&b"', ' href=javascript:x', ' href="mailto:a@b.c"', " href='https://x/\u200D<'"],
  ...[' onclick=x', ' style="a:url(b)"', ' data-type="taskList"', ' data-checked="true"', ' colspan=2', ' rowspan="x"'],
  ...[' title="', " alt='", ' a=b"', ' /', '/', '\n', '\0', ' =', '`'],
];
const TEXTS = [
  ...[
    'x',
    ' ',
    '\n',
    '<',
    '>',
    '</',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '&',
    '&amp;',
    '&lt;',
    '&gt',
    '&quot;',
    '"',
  ],
  ...[
    '&amp;lt;',
    '&#60;',
    '&#x3c',
    '&#0;',
    '&#8203;',
    '&zwj;',
    '\u200B',
    '\u200D',
    '\uFE0F',
    '\uFE00',
    '\u202E',
    '👩',
    '🏽',
  ],
  ...['🏴', '\u{E0067}', '\uD83D', '\uDE00', '禰', '\u{E0100}', '</p>', '</br>', '</ b>', '<b/>', '<p/>', '∩', 'क', '्'],
];

const opened = fc
  .tuple(fc.constantFrom(...ELEMENTS), fc.array(fc.constantFrom(...ATTRIBUTES), { maxLength: 2 }))
  .map(([name, attributes]) => `<${name}${attributes.join('')}>`);
const closed = fc.constantFrom(...ELEMENTS).map((name) => `</${name}>`);
const piece = fc
  .tuple(fc.constantFrom(...XSS_VECTORS), fc.nat(60), fc.nat(60))
  .map(([vector, start, length]) => vector.slice(start, start + length));
const deep = fc
  .tuple(fc.constantFrom(...ELEMENTS), fc.constantFrom(...ELEMENTS), fc.integer({ min: 40, max: 130 }))
  .map(([outer, inner, times]) => `<${outer}><${inner}>`.repeat(times));

/** Random HTML: loose tags, halves of attacks, entities and invisible characters in any order. */
const brokenHtml = fc
  .array(
    fc.oneof(
      { arbitrary: opened, weight: 40 },
      { arbitrary: closed, weight: 25 },
      { arbitrary: fc.constantFrom(...TEXTS), weight: 30 },
      { arbitrary: piece, weight: 5 },
      { arbitrary: deep, weight: 1 },
    ),
    { maxLength: 16, size: 'max' },
  )
  .map((parts) => parts.join(''));

/** Fails at the first HTML that is unsafe after sanitising, or that sanitising changes a second time. */
export function assertSanitizedOnce(runs: number): void {
  fc.assert(
    fc.property(brokenHtml, (html) => {
      const once = sanitizeHtml(html);

      return sanitizeHtml(once) === once && survivorsIn(once).length === 0;
    }),
    { numRuns: runs },
  );
}
