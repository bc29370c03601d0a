/** A stretch of failures of one kind, told when it begins and when it is over. */
export interface Spell {
  readonly failed: (error: unknown) => void;
}

export interface SpellOptions {
  readonly onBegin: (error: unknown) => void;
  readonly onEnd: () => void;
  /** How long nothing must have failed. Longer than the pause between two tries. */
  readonly over_after_ms: number;
}

/** Tells of a failure that is met again and again twice: first, and when it was not met for a while. */
export function createSpell({ onBegin, onEnd, over_after_ms }: SpellOptions): Spell {
  let timer: NodeJS.Timeout | undefined;

  return {
    failed: (error) => {
      if (timer !== undefined) return void timer.refresh();
      onBegin(error);
      timer = setTimeout(() => {
        timer = undefined;
        onEnd();
      }, over_after_ms).unref();
    },
  };
}
