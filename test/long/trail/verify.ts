import { launch } from '../../e2e/board-durability/launch.ts';
import type { Plant } from '../../e2e/board-durability/plants.ts';
import { errand, type Place, placeFlags } from '../../e2e/program.ts';

export interface Verified {
  readonly intact: boolean;
  readonly entries: number;
  readonly first_bad_seq: number | null;
  readonly problem: string | null;
  readonly head: string | null;
}

/** `errand audit verify`, with a head that was noted before, and with a planted fault. */
export async function verify(place: Place, noted?: string | null, plant?: Plant): Promise<Verified> {
  const head = noted ? ['--head', noted] : [];
  await using command = await launch(['audit', 'verify', '--json', ...head], /"intact"/, { place, plant });
  return JSON.parse(command.line) as Verified;
}

/** How many entries of the exported trail have each idempotency key. */
export async function countKeys(place: Place): Promise<ReadonlyMap<string, number>> {
  const { code, stdout, stderr } = await errand(['audit', 'export', '--json', ...placeFlags(place)]);
  if (code !== 0) throw new Error(`The trail cannot be exported: ${stderr}`);
  const counts = new Map<string, number>();
  for (const line of stdout.trim().split('\n')) {
    const { entry } = JSON.parse(line) as { entry?: { idempotency_key: string | null } | null };
    const key = entry?.idempotency_key;
    if (key) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
