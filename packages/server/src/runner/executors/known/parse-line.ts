import type { z } from 'zod';

/** Parses a line of JSON of this shape; null for any other. */
export function parseLine<Schema extends z.ZodType>(schema: Schema, line: string): z.output<Schema> | null {
  if (!line.startsWith('{')) return null;
  try {
    const parsed = schema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
