import { expect, it } from 'vitest';
import { escaped, markdownOf } from './html-markdown.ts';

it.each([
  ['Plain *words*', 'Plain *words*'],
  ['a &lt; b &amp; c', 'a < b & c'],
  ['<p>One <strong>two</strong></p><p>three</p>', 'One **two**\n\nthree'],
  ['<ul><li>a</li><li>b</li></ul>', '- a\n- b'],
  ['<ol><li>a</li><li>b</li></ol>', '1. a\n2. b'],
  ['<p>2 * 3 * 4</p>', '2 \\* 3 \\* 4'],
  ['<p>Use <code>a_b*c</code></p>', 'Use `a_b*c`'],
  ['<pre><code>x *= 2\ny</code></pre>', '```\nx *= 2\ny\n```'],
  ['<a href="https://a.example/b?c=1&amp;d=2">here</a>', '[here](<https://a.example/b?c=1&d=2>)'],
  ['<h2>Why</h2><p>because</p>', '## Why\n\nbecause'],
  ['<p>a<br>b</p>', 'a\\\nb'],
])('reads %s', (html, markdown) => {
  expect(markdownOf(html)).toBe(markdown);
});

it('gives back what was escaped', () => {
  const text = 'if (a < b && c > d) return "<p>";\n\n- one\n- two';

  expect(markdownOf(escaped(text))).toBe(text);
});

it('makes no tag of what was written as text', () => {
  expect(markdownOf('<p>&lt;img src=x onerror=alert(1)&gt;</p>')).toBe('\\<img src=x onerror=alert(1)\\>');
});

it('leaves an entity that names no character as it is', () => {
  expect(markdownOf('&#0; &#x110000; &nosuch;')).toBe('&#0; &#x110000; &nosuch;');
});
