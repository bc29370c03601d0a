import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { argv } from 'node:process';
import { PLANTED } from './planted-faults.ts';

const fault = PLANTED.find(({ name }) => name === argv[2]);
if (fault === undefined) throw new Error(`No such fault: ${argv[2]}`);

/** Changes the source of one module while it is loaded. */
registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith(`/runner/git/ship/${fault.file}`)) return loaded;
    const source = String(loaded.source);
    if (source.split(fault.find).length !== 2)
      throw new Error(`${fault.file} has no such line, or several: ${fault.find}`);
    const changed = stripTypeScriptTypes(source.replace(fault.find, () => fault.replace));
    return { ...loaded, format: 'module', source: changed };
  },
});
