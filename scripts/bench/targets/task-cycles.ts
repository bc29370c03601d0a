import { answer } from './answer.ts';

/** Task cycles that run at the same time. */
export const IN_FLIGHT = 32;

/** The arguments and the result of a task, here and with the bare drivers. */
export const ARGUMENTS = { label: 'render the quarterly report', pages: 12 };
export const RESULT = { content: [{ type: 'text', text: 'Twelve pages.' }], structuredContent: { pages: 12 } };

/** Creates, reads and completes tasks for the time that the parent requests, and answers how many. */
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
