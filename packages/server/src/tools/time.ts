import { z } from 'zod';

export const time = z.iso.datetime();

// All rows of one commit have the same time. Formatting it for each row would cost more than all other fields together.
let last = { at: 0, text: new Date(0).toISOString() };

export function rfc3339(at: number): string {
  if (at !== last.at) last = { at, text: new Date(at).toISOString() };
  return last.text;
}

export const rfc3339OrNull = (at: number | null): string | null => (at === null ? null : rfc3339(at));
