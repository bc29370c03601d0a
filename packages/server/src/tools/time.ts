import { z } from 'zod';

export const time = z.iso.datetime();

export const rfc3339 = (at: number): string => new Date(at).toISOString();

export const rfc3339OrNull = (at: number | null): string | null => (at === null ? null : rfc3339(at));
