import { expect, it } from 'vitest';
import { railPageOf } from './places.ts';

it.each([
  ['/inbox', 'Inbox'],
  ['/p/WEB', 'Board'],
  ['/p/OTHER', 'Board'],
  ['/t/WEB-12', 'Board'],
  ['/p/WEB/tasks', 'Tasks'],
  ['/a/WEB-12.2', 'Runs'],
  ['/agents', 'Agents'],
  ['/agents/01a1', 'Agents'],
  ['/p/WEB/settings', 'Settings'],
  ['/settings', 'Settings'],
  ['/elsewhere', undefined],
])('the address %s belongs to %s', (pathname, name) => {
  expect(railPageOf(pathname, 'WEB')?.name).toBe(name);
});
