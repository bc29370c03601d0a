import { z } from 'zod';

export const time = z.iso.datetime();

// The rows of one commit have one time: writing it out again would cost more than all other fields of a row.
let last = { at: 0, text: new Date(0).toISOString() };

export function rfc3339(at: number): string {
  if (at !== last.at) last = { at, text: new Date(at).toISOString() };
  return last.text;
}

export const rfc3339OrNull = (at: number | null): string | null => (at === null ? null : rfc3339(at));
