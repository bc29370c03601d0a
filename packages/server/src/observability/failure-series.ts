/** Reports a series of failures of one kind when it begins and when it is over. */
export interface FailureSeries {
  readonly failed: (error: unknown) => void;
}

export interface FailureSeriesOptions {
  readonly onBegin: (error: unknown) => void;
  readonly onEnd: () => void;
  /** The series is over after this time without a failure. Longer than the pause between two tries. */
  readonly over_after_ms: number;
}

/** Reports a repeated failure only twice: at the first failure, and after a time without one. */
export function createFailureSeries({ onBegin, onEnd, over_after_ms }: FailureSeriesOptions): FailureSeries {
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
