import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown } from './markdown.tsx';
import {
  MAX_CHARACTERS,
  MAX_DEPTH,
  MAX_LINES,
  MAX_NODES,
  markdownTree,
  type Node,
  safeAddress,
} from './markdown-tree.ts';

function html(source: string): string {
  return renderToStaticMarkup(createElement(Markdown, { source }));
}

/** Texts that others have used to run script on a reader's page, each by another way. */
const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'a <b onmouseover="alert(1)">b</b>',
  '<svg><script>alert(1)</script></svg>',
  '<svg/onload=alert(1)>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<style>*{background:url(https://evil.example/)}</style>',
  '<a href="javascript:alert(1)">x</a>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x]( javascript:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](javascript&#58;alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](&#x6A;avascript:alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:msgbox(1))',
  '[x](file:///etc/passwd)',
  '[x](//evil.example/x)',
  '[x](/api/v1/logout)',
  '[x](blob:https://a.example/1)',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
  '![x](https://evil.example/pixel.png)',
  '![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '![x" onerror="alert(1)](https://evil.example/a)',
  '[x](https://a.example "title\\" onmouseover=alert(1) \\"")',
  '[x][r]\n\n[r]: javascript:alert(1)',
  '[<img src=x onerror=alert(1)>](https://a.example)',
  '`<img src=x onerror=alert(1)>`',
  '```html"><script>alert(1)</script>\n<script>alert(1)</script>\n```',
  '| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |',
  '- [ ] <img src=x onerror=alert(1)>',
  '# <img src=x onerror=alert(1)>',
  '> <img src=x onerror=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;img src=x onerror=alert(1)&#62;',
  '\\<script>alert(1)</script>',
  '<https://a.example/"onmouseover="alert(1)>',
  'https://a.example/"><script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<form action="https://evil.example"><input name=q><button>Sign in</button></form>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '<object data="javascript:alert(1)"></object>',
];

const TAGS = new Set(
  'div p br hr code pre strong em del blockquote a span ul ol li table thead tbody tr th td'.split(' '),
);
const ATTRIBUTES = new Set('class role aria-level aria-label href title target rel start tabindex'.split(' '));

/** What markup holds, as a parser of HTML sees it: React escapes quotes and signs, so tags are what is left of them. */
function markupOf(text: string): readonly { readonly tag: string; readonly attributes: ReadonlyMap<string, string> }[] {
  return [...text.matchAll(/<([a-z][\w-]*)((?:\s[^<>]*)?)\/?>/gi)].map(([, tag = '', rest = '']) => ({
    tag,
    attributes: new Map([...rest.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])),
  }));
}

describe('text of others', () => {
  it.each(ATTACKS)('stays text: %j', (source) => {
    for (const { tag, attributes } of markupOf(html(source))) {
      expect(TAGS).toContain(tag);
      for (const [name, value] of attributes) {
        expect(ATTRIBUTES).toContain(name);
        if (name === 'href') {
          expect(value).toMatch(/^(https?:\/\/|mailto:)/);
        }
      }
    }
  });

  it('is shown as it was written, not dropped', () => {
    expect(html('a <b>c</b> d')).toContain('a &lt;b&gt;c&lt;/b&gt; d');
    expect(html('[x](javascript:alert(1))')).toContain('[x](javascript:alert(1))');
  });

  it('never loads: a picture is a link with its words', () => {
    const text = html('![a cat](https://pics.example/cat.png)');
    expect(text).not.toContain('<img');
    expect(text).toMatch(/<a [^>]*href="https:\/\/pics\.example\/cat\.png"[^>]*>a cat</);
  });
});

describe('links', () => {
  it('open elsewhere, without a way back, and show where they lead', () => {
    const text = html('[the guide](https://docs.example/retries?x=1)');
    expect(text).toContain('target="_blank"');
    expect(text).toContain('rel="noopener noreferrer"');
    expect(text).toContain('docs.example/retries?x=1</span>');
  });

  it('show no second address where the label is the address', () => {
    expect(html('https://docs.example/a')).not.toContain('link-target');
    expect(html('[https://bank.example](https://evil.example)')).toContain('evil.example</span>');
  });

  it('lead to the host that is shown, whatever stands before an @', () => {
    expect(safeAddress('https://bank.example@evil.example/x')).toEqual({
      href: 'https://evil.example/x',
      target: 'evil.example/x',
    });
    expect(safeAddress('https://bänk.example/')?.target).toBe('xn--bnk-qla.example');
  });

  it('have labels that read in one direction', () => {
    expect(JSON.stringify(markdownTree('[a\u202Eb\u2066c](https://a.example)'))).not.toMatch(/[\u202E\u2066]/);
    expect(JSON.stringify(markdownTree('[a&#x202E;b&#8294;c](https://a.example)'))).not.toMatch(/[\u202E\u2066]/);
  });
});

describe('what people write', () => {
  it('is drawn: headings, lists, tables, code, quotes', () => {
    const kinds = markdownTree(
      '# A\n\ntext **b** *c* ~~d~~ `e`\nline\n\n1. x\n2. y\n\n- [x] z\n\n> q\n\n```ts\nlet a;\n```\n\n| a |\n|--:|\n| b |\n\n---',
    ).nodes.map(({ kind }) => kind);
    expect(kinds).toEqual(['heading', 'paragraph', 'list', 'list', 'quote', 'pre', 'table', 'rule']);
  });

  it('keeps line ends, numbers that lists begin with, and ticks', () => {
    expect(html('a\nb')).toContain('a<br/>b');
    expect(html('7. a\n8. b')).toContain('<ol start="7">');
    expect(markdownTree('- [x] a\n- [ ] b\n- c').nodes[0]).toMatchObject({
      items: [{ checked: true }, { checked: false }, { checked: undefined }],
    });
  });

  it('reads character references once', () => {
    expect(html('a &amp; b &lt; c &#8212; d &amp;lt; e &unknown; f')).toContain(
      'a &amp; b &lt; c — d &amp;lt; e &amp;unknown; f',
    );
  });

  it('keeps its shape when a block of code has very long lines', () => {
    const { nodes } = markdownTree(`# A\n\n\`\`\`\n${'x'.repeat(5_000)}\n\`\`\`\n\ntext`);
    expect(nodes.map(({ kind }) => kind)).toEqual(['heading', 'pre', 'paragraph']);
  });

  it('hands blocks of code to the page that draws them', () => {
    const text = renderToStaticMarkup(
      createElement(Markdown, { source: '```ts\nlet a;\n```', code: (code, language) => `${language}:${code}` }),
    );
    expect(text).toContain('<code>ts:let a;</code>');
  });
});

function depthOf(nodes: readonly Node[]): number {
  const below = nodes.flatMap((node) => {
    if ('children' in node) {
      return [depthOf(node.children)];
    }
    return node.kind === 'list' ? node.items.map((item) => depthOf(item.children)) : [];
  });
  return nodes.length === 0 ? 0 : 1 + Math.max(0, ...below);
}

function sizeOf(nodes: readonly Node[]): number {
  return nodes.reduce((sum, node) => {
    if ('children' in node) {
      return sum + 1 + sizeOf(node.children);
    }
    return sum + 1 + (node.kind === 'list' ? node.items.reduce((items, item) => items + sizeOf(item.children), 0) : 0);
  }, 0);
}

describe('bounds', () => {
  it('cut long texts and say so', () => {
    const { cut } = markdownTree('a'.repeat(MAX_CHARACTERS + 1));
    expect(cut).toBe(true);
    expect(markdownTree('a'.repeat(MAX_CHARACTERS)).cut).toBe(false);
    expect(html('a '.repeat(MAX_CHARACTERS))).toContain('longer than the board shows');
  });

  it.each([
    ['quotes', '> '.repeat(15)],
    ['lists', Array.from({ length: 40 }, (_, at) => `${'  '.repeat(at)}- x`).join('\n')],
    ['emphasis', `${'*a **b '.repeat(60)}${'** *'.repeat(60)}`],
  ])('keep %s from nesting deeper than the tree goes', (_, source) => {
    expect(depthOf(markdownTree(`${source} x`).nodes)).toBeLessThanOrEqual(MAX_DEPTH + 1);
  });

  it.each([
    ['marks of lists', `${'-    '.repeat(14)}x`],
    ['marks of quotes', `${'>    '.repeat(14)}x`],
    ['numbers', `${'1.    '.repeat(14)}x`],
  ])('read %s that stand far apart: each space belongs to one mark', (_, source) => {
    expect(depthOf(markdownTree(source).nodes)).toBeGreaterThan(1);
  });

  it('show a long row of spaces as it was written, since the lexer begins anew at each of them', () => {
    const spaces = ' '.repeat(MAX_CHARACTERS / 2);
    expect(markdownTree(`**a**${spaces}b`).nodes).toEqual([
      { kind: 'paragraph', children: [{ kind: 'text', text: `**a**${spaces}b` }] },
    ]);
  });

  it('show more lines than they read as they were written', () => {
    const list = (lines: number): string => Array(lines).fill('- a').join('\n');
    expect(markdownTree(list(MAX_LINES)).nodes[0]?.kind).toBe('list');
    expect(markdownTree(list(MAX_LINES + 1)).nodes).toEqual([{ kind: 'pre', text: list(MAX_LINES + 1) }]);
  });

  it('keep the tree small', () => {
    expect(sizeOf(markdownTree('`a` '.repeat(MAX_CHARACTERS / 4)).nodes)).toBeLessThanOrEqual(MAX_NODES * 1.1);
  });

  it.each([
    ['quotes', '>'],
    ['list marks', '- '],
    ['brackets', '['],
    ['images', '!['],
    ['stars', '*a'],
    ['backticks', '`'],
    ['angle brackets', '<a '],
    ['tildes', '~~a'],
    ['autolinks', '<http://'],
    ['underscores', '_a '],
    ['table bars', '|'],
    ['references', '[a]: b\n'],
    ['exclamation marks', '!'],
    ['stars that do not match', '**a* '],
    ['letters before an @', 'a'],
    ['signs before an @', '='],
  ])('read as much of %s as a text may hold', (_, mark) => {
    const source = `${mark.repeat(MAX_CHARACTERS / mark.length - 1)}@`;
    expect(markdownTree(source).nodes.length).toBeGreaterThanOrEqual(0);
    expect(html(source).length).toBeLessThan(MAX_CHARACTERS * 40);
  });
});
