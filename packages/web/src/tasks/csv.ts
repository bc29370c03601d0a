import { workerOf } from '../board/card-looks.ts';
import type { Row } from './rows.ts';

const HEAD = [
  'key',
  'title',
  'state',
  'priority',
  'agent',
  'labels',
  'people',
  'due',
  'created',
  'updated',
  'completed',
];

/** A text that begins so is run as a formula by spreadsheets. */
const FORMULA = /^[=+\-@\t\r]/;

function field(value: string | null): string {
  const text = value ?? '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const named = (all: readonly { readonly name: string }[]): string => all.map(({ name }) => name).join(', ');

const line = ({ card, column }: Row): readonly (string | null)[] => [
  card.key,
  card.title,
  column.name,
  card.priority,
  workerOf(card)?.name ?? null,
  named(card.labels),
  named(card.people),
  card.target_date,
  card.created_at,
  card.updated_at,
  card.completed_at,
];

/** The rows as a file for spreadsheets (RFC 4180). */
export const csvOf = (rows: readonly Row[]): string =>
  [HEAD, ...rows.map(line)].map((fields) => `${fields.map(field).join(',')}\r\n`).join('');
