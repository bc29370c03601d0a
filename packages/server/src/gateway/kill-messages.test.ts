import { describe, expect, it } from 'vitest';
import { deliverTooSoon, judgeMessages, killWhileTelling, serveHere } from '#testing/kill-messages';
import { aSteeredRun } from '#testing/steered';
import { createWorld } from '#testing/world';
import { times } from '../../../../test/e2e/counts.ts';
import { createRandom } from '../../../../test/e2e/durability/random.ts';

const MESSAGES = times({ whole: 10_000, part: 200 });
const CALLS = 6;

describe('[L-STEER] messages to an agent whose servers are killed', () => {
  it(
    `are each seen at least once, in order, shown once, and read, ${MESSAGES} of them`,
    async () => {
      await using world = await createWorld();
      const site = await aSteeredRun(world);
      const open = async () => serveHere(world, site);

      const played = await killWhileTelling(site, {
        messages: MESSAGES,
        random: createRandom(14).next,
        open,
        calls: CALLS,
      });

      expect(await judgeMessages(world, site, played)).toEqual([]);
      expect(Math.min(...Object.values(played.kills))).toBeGreaterThan(MESSAGES / 100);
    },
    20_000 + MESSAGES * 60,
  );

  it('are lost when they count as delivered before their answer has left', async () => {
    await using world = await createWorld();
    const site = await aSteeredRun(world);
    const open = async () => deliverTooSoon(world, site, serveHere(world, site));

    const played = await killWhileTelling(site, { messages: 100, random: createRandom(14).next, open, calls: CALLS });

    expect(await judgeMessages(world, site, played)).toContainEqual(expect.stringContaining('was never seen'));
  });
});
