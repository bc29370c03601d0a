import { describe, expect, it } from 'vitest';
import { traceIdOf } from './trace.ts';

const ID = '0af7651916cd43dd8448eb211c80319c';

describe('the trace of a request', () => {
  it.each([`00-${ID}-b7ad6b7169203331-01`, `01-${ID}-b7ad6b7169203331-01-what-comes-later`])(
    'is read from %s',
    (given) => {
      expect(traceIdOf(given)).toBe(ID);
    },
  );

  it.each([undefined, 7, '', ID, `00-${ID}-b7ad6b7169203331-01x`, `00-${ID.toUpperCase()}-b7ad6b7169203331-01`])(
    'is not read from %j',
    (given) => {
      expect(traceIdOf(given)).toBeUndefined();
    },
  );
});
