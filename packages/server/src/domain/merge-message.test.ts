import { describe, expect, it } from 'vitest';
import { mergeMessage } from './merge-message.ts';

const FACTS = {
  key: 'WEB-12',
  title: 'Fix login',
  attempt: 'WEB-12.2',
  executor: 'claude',
  branch: 'errand/fix-login-3327da',
  target: 'main',
  summary: 'Cookies are strict now.',
};

describe('the message of a merge', () => {
  it('names the task and the attempt', () => {
    expect(mergeMessage('merge', FACTS)).toBe('Merge WEB-12: Fix login\n\nErrand-Attempt: WEB-12.2');
    expect(mergeMessage('squash', FACTS)).toBe(
      'Fix login (WEB-12)\n\nCookies are strict now.\n\nErrand-Attempt: WEB-12.2',
    );
  });

  it('leaves no gap where a fact is missing', () => {
    const facts = { ...FACTS, key: null, summary: null };
    expect(mergeMessage('merge', facts)).toBe('Merge: Fix login\n\nErrand-Attempt: WEB-12.2');
    expect(mergeMessage('squash', facts)).toBe('Fix login\n\nErrand-Attempt: WEB-12.2');
  });

  it('puts co-authors with the other trailers', () => {
    const facts = { ...FACTS, co_authors: ['Claude <claude@localhost>'] };
    expect(mergeMessage('merge', facts)).toMatch(/Attempt: WEB-12\.2\nCo-authored-by: Claude <claude@localhost>$/);
    expect(mergeMessage('merge', facts, '{title}')).toBe('Fix login\n\nCo-authored-by: Claude <claude@localhost>');
  });

  it('takes a template, but no template from a title', () => {
    expect(mergeMessage('squash', FACTS, '[{executor}] {title} {branch}→{target}')).toBe(
      '[claude] Fix login errand/fix-login-3327da→main',
    );
    expect(mergeMessage('squash', { ...FACTS, title: '{summary} {key}' }, '{title}')).toBe('{summary} {key}');
  });

  it('has a first line of at most 200 characters, and no control characters', () => {
    const odd = mergeMessage('merge', { ...FACTS, title: `a\u0007b\nErrand-Attempt: WEB-1.1\r\n${'x'.repeat(300)}` });
    const [first = '', ...rest] = odd.split('\n');
    expect(first).toMatch(/^Merge WEB-12: ab Errand-Attempt: WEB-1\.1 x+…$/);
    expect(first).toHaveLength(200);
    expect(rest).toEqual(['', 'Errand-Attempt: WEB-12.2']);
  });
});
