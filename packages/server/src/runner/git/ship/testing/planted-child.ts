import { argv, stdout } from 'node:process';
import type { TargetPlace, Twist } from './draft.ts';
import { PLACES } from './draft.ts';
import { FINE } from './fine-twists.ts';
import { expectedOf, judge } from './judge-situation.ts';
import { aStage, play, stepsOf } from './kill-round.ts';
import { makeSituation } from './make-situation.ts';
import { PERSONS } from './persons.ts';
import type { PlantedFault } from './planted-faults.ts';
import { PLANTED } from './planted-faults.ts';
import { REFUSED } from './refused-twists.ts';
import { aShipBed } from './ship-bed.ts';

const placeOf = (twists: readonly Twist[]): TargetPlace =>
  PLACES.find((place) => twists.every(({ not }) => !not?.includes(place))) ?? 'here';

/** Plays what should find the fault that was planted in this process, and prints what it found. */
async function find({ by }: PlantedFault): Promise<readonly string[]> {
  if ('twist' in by) {
    const twists = [...FINE, ...REFUSED].filter(({ name }) => name === by.twist);
    await using bed = await aShipBed();
    const situation = makeSituation(bed.folder, placeOf(twists), twists);
    return await judge(bed.needs, situation, 'merge', expectedOf(twists, situation, 'merge'));
  }
  const person = PERSONS.find(({ name }) => name === by.person) ?? null;
  const is_killed = by.rounds === 'killed';
  for (const count of [1, 3] as const) {
    await using stage = await aStage(count, 'merge');
    const names = await stepsOf(stage);
    // From the end: what comes after the references is where most can go wrong.
    for (let at = names.length; at > 0; at -= 1) {
      if (!/^before (?!.*(?:rev-parse|config|merge-base))/.test(names[at - 1] ?? '')) continue;
      const faults = await play(stage, { at, is_killed, person, where: at });
      if (faults.length > 0) return faults;
    }
  }
  return [];
}

const fault = PLANTED.find(({ name }) => name === argv[2]);
if (fault === undefined) throw new Error('Name a fault.');
const faults = await find(fault).catch((error: unknown) => [`threw ${String(error)}`]);
stdout.write(`${JSON.stringify(faults)}\n`);
