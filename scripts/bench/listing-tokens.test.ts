import { expect, it } from 'vitest';
import { countListings, MAX_TOKENS } from './listing-tokens.ts';

it('lists the tools of every address within the tokens that a model has for them', () => {
  const listings = countListings();

  const tooLong = listings.filter(
    ({ address, model, whole, max_whole }) => whole > max_whole || (address !== '/mcp' && model > MAX_TOKENS.model),
  );

  expect(listings.map(({ address }) => address)).toContain('/mcp/board');
  expect(tooLong).toEqual([]);
});
