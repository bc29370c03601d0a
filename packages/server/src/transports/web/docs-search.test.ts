import { expect, it } from 'vitest';
import type { DocSection } from './docs.ts';
import { searchDocs } from './docs-search.ts';

const SECTIONS: readonly DocSection[] = [
  {
    title: 'Guide',
    files: [],
    pages: [
      {
        name: 'rest',
        title: 'REST',
        summary: '',
        text: '# REST\n\nEvery tool has an endpoint.\n\n## Errors that a client may `retry`\n\nThose with [retryable](errors.md).\n\n```sh\n# retry by hand\n```\n',
      },
      { name: 'tokens', title: 'Tokens', summary: '', text: '# Tokens\n\nA client may retry with another token.\n' },
    ],
  },
];

it('finds the parts that hold all words, those with the words in their heading first', () => {
  const found = searchDocs(SECTIONS, 'Retry client');

  expect(found.map(({ title, page, address }) => [title, page, address])).toEqual([
    ['Errors that a client may retry', 'REST', '/docs/rest#errors-that-a-client-may-retry'],
    ['Tokens', 'Tokens', '/docs/tokens'],
  ]);
  expect(found[1]?.line).toBe('A client may retry with another token.');
});

it('finds nothing for no words, or for words that no part holds together', () => {
  expect(searchDocs(SECTIONS, '  ')).toEqual([]);
  expect(searchDocs(SECTIONS, 'endpoint token')).toEqual([]);
});

it('puts words side by side before those apart, and no letters within other words of a heading', () => {
  const page = (name: string, text: string) => ({ name, title: name, summary: '', text });
  const pages = [
    page('benchmarks', '# Benchmarks\n\nA report has each step.\n'),
    page('executions', '# Runs\n\nTo report a step, call a tool.\n'),
  ];

  const found = searchDocs([{ title: 'Guide', files: [], pages }], 'report a step');

  expect(found.map(({ address }) => address)).toEqual(['/docs/executions#runs', '/docs/benchmarks#benchmarks']);
});
