import { describe, expect, it } from 'vitest';
import { cleaned } from './html.ts';

/** Measured pairs: the left through lxml 6.1.3 and nh3 0.3.7 with the lists of plane/utils/content_validator.py. */
const MEASURED: readonly (readonly [string, string | null])[] = [
  ['', null],
  ['<!-- only -->', null],
  ['text', '<span>text</span>'],
  ['a & b <i>c</i>', '<span>a &amp; b <i>c</i></span>'],
  ['<p></p>', '<p></p>'],
  ['<p>a</p>', '<p>a</p>'],
  ['<p>a</p><p>b</p>', '<div><p>a</p><p>b</p></div>'],
  ['x<p>a</p>', '<div>x<p>a</p></div>'],
  ['<b>a</b><i>b</i>', '<span><b>a</b><i>b</i></span>'],
  ['<p>x</p><script>alert(1)</script>', '<div><p>x</p></div>'],
  ['<p onclick=1>hi<img src=x onerror=1></p>', '<p>hi<img src="x"></p>'],
  ['<section><p>a</p></section>', '<p>a</p>'],
  ["<a href='javascript:1'>x</a>", '<a rel="noopener noreferrer">x</a>'],
  ["<a href='https://e.org'>x</a>", '<a href="https://e.org" rel="noopener noreferrer">x</a>'],
  ["<p data-errand-id='1' data-id='2' id='3'>x</p>", '<p data-id="2" id="3">x</p>'],
  ['<p>a<br>b</p>', '<p>a<br>b</p>'],
  ["<h3 data-id='x'>T</h3>\n<p>y</p>\n", '<div><h3 data-id="x">T</h3>\n<p>y</p>\n</div>'],
  ['<p>1 < 2 &lt;b&gt; \u00a0 é "q" \'r\'</p>', '<p>1 &lt; 2 &lt;b&gt; &nbsp; é "q" \'r\'</p>'],
  ['<iframe src=x></iframe>', ''],
  ['<p>a\u0000b</p>', '<p>a\ufffdb</p>'],
  [
    "<ul data-type='taskList'><li data-checked='true' data-type='taskItem' data-id='i1'><label><input type='checkbox' checked='checked'><span></span></label><div><p>one</p></div></li></ul>",
    '<ul data-type="taskList"><li data-checked="true" data-type="taskItem" data-id="i1"><label><input type="checkbox" checked=""><span></span></label><div><p>one</p></div></li></ul>',
  ],
];

describe('HTML of the stand-in', () => {
  it.each(MEASURED)('stores %j as Plane does', (written, stored) => {
    expect(cleaned(written)).toBe(stored);
  });

  it('stores its own output unchanged', () => {
    for (const [written] of MEASURED) {
      const once = cleaned(written);
      if (once) expect(cleaned(once)).toBe(once);
    }
  });
});
