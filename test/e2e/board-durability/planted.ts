import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { env } from 'node:process';
import { editsOf, withFault } from './plants.ts';

// Loaded before the program, so that the program loads its source with the fault.
const SOURCE = new URL('../../../packages/server/src/', import.meta.url).href;
const edits = editsOf(env.PLANT ?? '');

for (const { file } of edits) withFault(readFileSync(new URL(file, SOURCE), 'utf8'), file, edits);

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    const file = url.startsWith(SOURCE) ? url.slice(SOURCE.length) : '';
    if (!edits.some((edit) => edit.file === file)) return loaded;
    return { ...loaded, source: withFault(String(loaded.source), file, edits) };
  },
});
