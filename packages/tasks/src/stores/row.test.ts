import { expect, it } from 'vitest';
import { aTask, requestFor } from '#testing/a-task';
import { fromRow, toRow } from './row.ts';

const HOSTILE = ['\0', '\ud800', '\udfff after', '"', '"quoted"', '', '\\u0000', '😀', '\u2028'];

it.each(HOSTILE)('[S11] reads back the text %j in every field', (text) => {
  const task = aTask({
    task_id: text,
    owner_id: text,
    request: { ...requestFor(text), arguments: { [text]: text } },
    variables: { [text]: [text] },
    lease: { worker_id: text, until: 5 },
  });

  expect(fromRow(toRow(task))).toStrictEqual(task);
});

it.each(HOSTILE)('[S11] keeps the text %j in columns and bodies that every database takes', (text) => {
  const row = toRow(aTask({ owner_id: text, request: requestFor(text), variables: { [text]: text } }));

  for (const value of [row.owner_id, row.tool, row.body]) {
    expect(value).not.toContain('\0');
    expect(value.isWellFormed()).toBe(true);
  }
});

it('[O2, S11] distinguishes two owners that a database would take for one', () => {
  const owners = ['sub:\ud800', 'sub:\ud801', 'sub:\ufffd', 'sub:"\\ud800"', JSON.stringify('sub:\ud800')];

  const columns = owners.map((owner_id) => toRow(aTask({ owner_id })).owner_id);

  expect(new Set(columns.map((column) => Buffer.from(column).toString())).size).toBe(owners.length);
});

it('[S11] reads back keys that mean something to JavaScript', () => {
  const task = aTask({ variables: JSON.parse('{"__proto__": {"constructor": 1}}') });

  const read = fromRow(toRow(task));

  expect(JSON.stringify(read.variables)).toBe('{"__proto__":{"constructor":1}}');
});
