import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { env } from 'node:process';
import { editsOf } from './plants.ts';

// Loaded before the program, so that the program loads its source with the fault.
const SOURCE = new URL('../../../packages/server/src/', import.meta.url).href;
const edits = editsOf(env.PLANT ?? '');

/** Throws when the guarded code has moved: a fault that is not planted would never be found. */
function edited(source: string, file: string): string {
  return edits.reduce((text, edit) => {
    if (edit.file !== file) return text;
    if (!text.includes(edit.is)) throw new Error(`${file} has no “${edit.is}” to take out.`);
    return text.replace(edit.is, edit.becomes);
  }, source);
}

for (const { file } of edits) edited(readFileSync(new URL(file, SOURCE), 'utf8'), file);

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    const file = url.startsWith(SOURCE) ? url.slice(SOURCE.length) : '';
    if (!edits.some((edit) => edit.file === file)) return loaded;
    return { ...loaded, source: edited(String(loaded.source), file) };
  },
});
