import { registerHooks } from 'node:module';
import process from 'node:process';
import { ERRAND } from '../program.ts';
import type { Plant } from './planted-store.ts';

// `errand serve` in a process that starts early and opens its data on a message, which makes each cycle faster.
const [data = '', plant] = process.argv.slice(2) as [string?, Plant?]; // from `prepare`, which takes nothing else
let program = ERRAND;
const OPENS = ['openSqliteStore', 'openPostgresStore'] as const;
const fileOf = { openSqliteStore: '/open-sqlite-store.ts', openPostgresStore: '/open-postgres-store.ts' } as const;

if (plant !== undefined) {
  const source = new URL('../../../packages/server/src/', import.meta.url);
  program = new URL('main.ts', source).href;
  registerHooks({
    load: (url, context, next) => {
      const opens = OPENS.find((name) => url.endsWith(fileOf[name]));
      if (opens === undefined) return next(url, context);
      const planted = `
        import { ${opens} as open } from ${JSON.stringify(`${url}?real`)};
        import { PLANTS } from ${JSON.stringify(new URL('planted-store.ts', import.meta.url).href)};
        export const ${opens} = async (options) => PLANTS[${JSON.stringify(plant)}](await open(options));`;
      return { format: 'module', shortCircuit: true, source: planted };
    },
  });
  for (const part of ['compose.ts', 'transports/http.ts', 'transports/rest/rest.ts'])
    await import(new URL(part, source).href);
}

process.once('message', () => {
  process.argv.splice(2, Number.POSITIVE_INFINITY, 'serve', '--port', '0', '--data', data);
  void import(program);
});
