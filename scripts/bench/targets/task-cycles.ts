import { answer } from './answer.ts';

/** Lives that go on at the same time. */
export const IN_FLIGHT = 32;

/** What a task is made with and ends with, here and at the bare drivers. */
export const ARGUMENTS = { label: 'render the quarterly report', pages: 12 };
export const RESULT = { content: [{ type: 'text', text: 'Twelve pages.' }], structuredContent: { pages: 12 } };

/** Lets tasks be made, read and completed for as long as the parent asks; answers how many went that way. */
export function answerCycles(cycle: (owner_id: string) => Promise<void>): void {
  answer(async (seconds) => {
    const end = performance.now() + seconds * 1000;
    let cycles = 0;
    const live = async (_: unknown, index: number): Promise<void> => {
      while (performance.now() < end) {
        await cycle(`owner-${index}`);
        cycles++;
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, live));
    return cycles;
  });
}
