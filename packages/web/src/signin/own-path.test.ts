import { expect, it } from 'vitest';
import { ownPath } from './own-path.ts';

const ORIGIN = 'http://127.0.0.1:8080';

it.each(['/', '/p/SHO?mine=true', '/t/SHO-1#story'])('leads back to %s', (path) => {
  expect(ownPath(path, ORIGIN)).toBe(path);
});

it.each([
  undefined,
  '',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '\t//evil.example',
])('does not lead away to %j', (path) => {
  expect(ownPath(path, ORIGIN)).toBe('/');
});
