import { afterAll, beforeAll, describe, it } from 'vitest';
import { IS_LONG } from '../counts.ts';
import { overCommandLine, overRemoteCommandLine } from './command-line.ts';
import { openLoop } from './scenarios/loop.ts';
import { playShipping } from './scenarios/shipping.ts';
import { playSteering } from './scenarios/steering.ts';
import { checksOf, playLoop } from './scenarios/whole-loop.ts';
import { openSite, type Site } from './site.ts';
import { WAYS, type Way } from './ways.ts';

const named = (wanted: string): Way => WAYS.find(({ name }) => name === wanted) as Way;

/** Each way with the letter that its keys begin with. In `npm test` the newer MCP and the command line of another machine. */
const LOOPS = [
  { way: named('MCP 2026-07-28 at /mcp/board'), letter: 'A' },
  { way: overRemoteCommandLine, letter: 'B' },
  { way: named('MCP 2025-11-25 at /mcp/board'), letter: 'C' },
  { way: named('REST by route'), letter: 'D' },
  { way: overCommandLine, letter: 'E' },
].map(({ way, letter }) => ({ name: way.name, way, letter }));

describe('the loop of a developer', () => {
  let site: Site;
  beforeAll(async () => {
    const checks = Object.assign({}, ...LOOPS.map(({ letter }) => checksOf(`${letter}LOOP`))) as object;
    site = await openSite('sqlite', { config: { checks }, scopes: ['board:merge'] });
  });
  afterAll(() => site?.[Symbol.asyncDispose]());

  it.concurrent.each(LOOPS.slice(0, IS_LONG ? LOOPS.length : 2))(
    '[L-KEY, L-VERIFY, L-SIBLINGS, L-REVIEW, L-SHIP] goes from a task to a merged branch over $name',
    async ({ way, letter }) => {
      await using client = await way.connect(site, site.token);
      await playLoop(await openLoop(site, client, `${letter}LOOP`, { retry_red: 1, require_green: true }));
    },
  );

  it.concurrent.each(LOOPS.slice(0, IS_LONG ? LOOPS.length : 1))(
    '[L-SHIP] reports conflicts and dirty work trees before anything changes, and merges all repositories, over $name',
    async ({ way, letter }) => {
      await using client = await way.connect(site, site.token);
      await playShipping(site, await openLoop(site, client, `${letter}SHIP`));
    },
  );

  it.concurrent.each(LOOPS.slice(0, IS_LONG ? LOOPS.length : 1))(
    '[L-STEER] hands the answer of a person and their message to an agent that waits, over $name',
    async ({ way, letter }) => {
      await using client = await way.connect(site, site.token);
      await playSteering(await openLoop(site, client, `${letter}STEER`));
    },
  );
});
