import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { times } from '../../../../test/e2e/counts.ts';
import { htmlOf, sanitizeHtml, textOfClean } from './rich-text.ts';
import { assertSanitizedOnce } from './testing/rich-text-properties.ts';
import { survivorsIn, XSS_VECTORS } from './testing/xss-vectors.ts';
import { visible } from './visible-text.ts';

const SIZE = 100_000;
const filled = (piece: string): string => piece.repeat(SIZE / piece.length);

const HEAVY = [
  ...[
    '<',
    '<b>',
    '<p>',
    '</p>',
    '<p><div>',
    '<p><span>',
    '<ul><li>',
    '<a href="',
    '<!--',
    '<![CDATA[',
    '<b></i>',
    '&',
    '&amp',
  ],
  ...[
    '<svg>',
    '<title>',
    '<script>',
    '<textarea>',
    '<template>',
    '<td><tr>',
    '<a x ',
    '\u200D',
    '👨\u200D',
    '🏴\u{E0067}',
    ' ',
    '\n ',
  ],
].map(filled);

describe('signs that are no tags', () => {
  it.each([
    ['use Map<string, number> if a<b and c', 'use Map&lt;string, number&gt; if a&lt;b and c'],
    ['<p>a < b, b <= c and Vec<T></p>', '<p>a &lt; b, b &lt;= c and Vec&lt;T&gt;</p>'],
    ['</string> <my-element onclick=x()>hi', '&lt;/string&gt; &lt;my-element onclick=x()&gt;hi'],
    ['<b>bold</b> <img src=x onerror=y()', '<b>bold</b> &lt;img src=x onerror=y()'],
    ['<p>Map<string, number> a<b and c</p>', '<p>Map&lt;string, number&gt; a&lt;b and c</p>'],
    ['<p>for (i=0; i<n; i++) s<a</p><p>next</p>', '<p>for (i=0; i&lt;n; i++) s&lt;a</p><p>next</p>'],
    ['<B>bold</B><unknown<b>x</b>', '<b>bold</b>&lt;unknown<b>x</b>'],
  ])('stay to be read: %s', (html, kept) => {
    expect(sanitizeHtml(html)).toBe(kept);
    expect(sanitizeHtml(kept)).toBe(kept);
    expect(survivorsIn(kept)).toEqual([]);
  });
});

describe('the corpus of attacks', () => {
  it('has over 220 vectors, all different, and each is dangerous as it is', () => {
    expect(new Set(XSS_VECTORS).size).toBe(XSS_VECTORS.length);
    expect(XSS_VECTORS.length).toBeGreaterThan(220);
    expect(XSS_VECTORS.filter((vector) => survivorsIn(vector).length === 0)).toEqual([]);
  });

  it.each([
    '<b onclick="x">y</b>',
    '<img src="x" />',
    '<a href="javascript:x" rel="noopener noreferrer nofollow">y</a>',
    '<a href="https://x.example">y</a>',
    '<a href="//x" rel="noopener noreferrer nofollow">y</a>',
    '<p style="x">y</p>',
    '<td colspan="x">y</td>',
    '<ul data-type="x"></ul>',
    '<br>',
    '<b>',
    '</b>',
    'a > b',
    'a < b',
    'a & b',
    '<p>\u200B</p>',
  ])('is judged by a reader that objects to %j', (html) => {
    expect(survivorsIn(html)).not.toEqual([]);
  });
});

describe('sanitised HTML', () => {
  it('lets no attack through', () => {
    const survivors = XSS_VECTORS.flatMap((vector) => survivorsIn(sanitizeHtml(vector)).map((it) => [vector, it]));

    expect(survivors).toEqual([]);
  });

  it('is safe, and the same when sanitised again', () => {
    assertSanitizedOnce(times({ whole: 20_000, part: 4_000 }));
  });

  it.each([
    '<h1>a</h1><p>b <strong>c</strong><br />d</p><hr /><pre><code>x &lt; y</code></pre><blockquote>e</blockquote>',
    '<ul data-type="taskList"><li data-checked="true">a</li><li data-checked="false">b</li></ul>',
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td colspan="2" rowspan="3">b</td></tr></tbody></table>',
    '<p><a href="https://x.example/?a=1&amp;b=2" rel="noopener noreferrer nofollow">a</a> 👨‍👩‍👧 日本語</p>',
    '<a href="mailto:a@x.example" rel="noopener noreferrer nofollow">a</a>',
  ])('keeps %s', (html) => {
    expect(sanitizeHtml(html)).toBe(html);
  });

  it.each([
    ['<div>a<span class="x">b</span></div>', 'ab'],
    ['a<script>b</script><style>c</style><textarea>d</textarea><noscript>e</noscript>f', 'af'],
    [
      '<a href="https://x.example" target="_top">a</a>',
      '<a href="https://x.example" rel="noopener noreferrer nofollow">a</a>',
    ],
    ['<a href="javascript:x">a</a>', '<a>a</a>'],
    ['<img src="https://x.example/y.png" alt="z">a', 'a'],
    ['<ul data-type="x"><li data-checked="maybe">a</li></ul>', '<ul><li>a</li></ul>'],
    ['<td colspan="0" rowspan="9999">a</td>', '<td>a</td>'],
    ['<p>a<div><p>b</div>', '<p>a</p><p>b</p>'],
    ['a&#8203;b\u202Ec&shy;d', 'abcd'],
    ['👨&zwj;👩', '👨\u200D👩'],
    [
      '<a href="https://x&#8203;.example/\u202E">a</a>',
      '<a href="https://x.example/" rel="noopener noreferrer nofollow">a</a>',
    ],
    ['<a href="ht\ntps://x.example">a</a>', '<a href="https://x.example" rel="noopener noreferrer nofollow">a</a>'],
  ])('of %j is %j', (html, safe) => {
    expect(sanitizeHtml(html)).toBe(safe);
  });

  it('nests at most 100 deep and keeps the text below', () => {
    const html = sanitizeHtml(`${'<b>'.repeat(5000)}deep${'</b>'.repeat(5000)}`);

    expect(html).toBe(`${'<b>'.repeat(100)}deep${'</b>'.repeat(100)}`);
  });

  it.each([
    ['<b>x</b>', 10_001],
    ['<b>', 10_001],
    ['</p>', 10_001],
    ['</i>', 20_001],
  ])('shows the tags as text when %j comes %i times', (piece, times) => {
    const html = piece.repeat(times);

    const once = sanitizeHtml(html);

    expect(once === html.replaceAll('<', '&lt;').replaceAll('>', '&gt;')).toBe(true);
    expect(sanitizeHtml(once) === once).toBe(true);
  });

  it('comes back, safe and settled, from input made to take long', () => {
    const unsettled = HEAVY.filter((html) => {
      const once = sanitizeHtml(html);
      return survivorsIn(once).length > 0 || sanitizeHtml(once) !== once;
    });

    expect(unsettled.map((html) => html.slice(0, 20))).toEqual([]);
  });
});

describe('the text of HTML', () => {
  it.each([
    ['<h1>a</h1><p>b<br>c</p><ul><li>d</li><li><p>e</p></li></ul>f', 'a\nb\nc\nd\ne\nf'],
    ['<p>a\n   b <b> c</b></p>', 'a b c'],
    ['<pre>a\n  b</pre>', 'a\n  b'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a\tb\nc'],
    ['see <a href="https://x.example">this</a>', 'see this'],
    ['a &lt;b&gt; &amp;amp; &eacute;&#8203;', 'a <b> &amp; é'],
    ['<script>x</script>', ''],
  ])('of %j is %j', (html, text) => {
    expect(textOfClean(sanitizeHtml(html))).toBe(text);
  });

  it('holds nothing invisible', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('👨', '<b>', '</b>', '&zwj;', '\uFE0F', '&#8203;', '<br>', 'क', '\u200C')),
        (parts) => {
          const text = textOfClean(sanitizeHtml(parts.join('')));
          expect(visible(text)).toBe(text);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('comes back from input made to take long', () => {
    for (const html of HEAVY) expect(textOfClean(sanitizeHtml(html)).length).toBeLessThanOrEqual(html.length);
  });
});

describe('HTML of a text', () => {
  it('has a paragraph for each block and a break for each line', () => {
    expect(htmlOf('a <b>\r\nc\n\n \nd & "e"\n')).toBe('<p>a &lt;b&gt;<br />c</p><p>d &amp; "e"</p>');
    expect(htmlOf('')).toBe('');
  });

  it('is safe and settled, whatever the text', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...XSS_VECTORS, ...HEAVY));

    fc.assert(
      fc.property(text, (value) => {
        const html = htmlOf(value);

        expect(survivorsIn(html)).toEqual([]);
        if (html.length < SIZE) expect(sanitizeHtml(html)).toBe(html);
      }),
    );
  });
});
