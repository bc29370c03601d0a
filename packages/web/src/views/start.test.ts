import { expect, it } from 'vitest';
import type { HostState } from './host.ts';
import { startOf } from './start.ts';

const NOTHING: HostState = { input: null, result: null, cancelled: false, theme: null, failure: null };

it.each<[state: Partial<HostState>, shown: object]>([
  [{}, { kind: 'note', text: 'Waiting for the answer…' }],
  [{ input: { project_id: 'My shop' } }, { kind: 'page', path: '/p/My%20shop' }],
  [{ input: { task_id: 'A-1' } }, { kind: 'page', path: '/t/A-1' }],
  [{ result: { structuredContent: { task_id: 'a7' } } }, { kind: 'page', path: '/t/a7' }],
  [
    { input: { task_id: 'A-1' }, result: { isError: true, structuredContent: { error: { message: 'No task A-1.' } } } },
    { kind: 'note', text: 'No task A-1.' },
  ],
  [
    { input: { project_id: 'A' }, cancelled: true },
    { kind: 'note', text: 'The call was cancelled.' },
  ],
  [{ failure: 'no' }, { kind: 'note', text: 'This chat did not open the view: no' }],
  [{ input: {} }, { kind: 'note', text: 'The call named no project and no task.' }],
])('%j is shown as %j', (state, shown) => {
  expect(startOf({ ...NOTHING, ...state })).toEqual(shown);
});
