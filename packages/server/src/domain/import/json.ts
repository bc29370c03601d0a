import type { z } from 'zod';
import { visibleJson } from '#domain/visible-text';
import type { ImportNote } from './imported-task.ts';

type Read<Value> = { readonly value: Value } | { readonly fault: ImportNote };

interface Part {
  readonly file: string;
  /** Where the text begins in the file. */
  readonly line: number;
  readonly text: string;
}

/** The line of a fault that V8 names, from the first of the text; 1 where it names none. */
const lineIn = (message: string): number => Number(/\(line (\d+) column/.exec(message)?.[1] ?? 1);

/** Reads JSON, without what a reader cannot see of its texts; a fault names the line. */
export function readJson({ file, line, text }: Part): Read<unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    const seen = visibleJson(text);
    return { value: seen === text ? value : (JSON.parse(seen) as unknown) };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return { fault: { file, line: line + lineIn(message) - 1, text: 'This is not JSON.' } };
  }
}

/** What a value lacks of its form: where, and what. */
export function faultOf({ issues: [issue] }: z.ZodError, where: Omit<ImportNote, 'text'>, name: string): ImportNote {
  const path = issue?.path.join('.') ?? '';
  return { ...where, text: `${name}${path === '' ? '' : `, field ${path}`}: ${issue?.message ?? 'not readable'}.` };
}
