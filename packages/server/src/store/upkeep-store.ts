/** Work on what the store keeps so that reads need not compute it: see `Reads`. Until it is done, reads take longer. */
export interface UpkeepReads {
  readonly upkeep: {
    /** Whether tasks, or changes of their states, wait to be counted. */
    readonly hasUncounted: () => Promise<boolean>;
    /** Whether a project has tasks for one more segment of the search index, or a segment waits for its tasks. */
    readonly hasUnfiled: () => Promise<boolean>;
  };
}

export interface UpkeepWrites {
  readonly upkeep: UpkeepReads['upkeep'] & {
    /** Counts the tasks of one project; answers whether there was one to count. */
    readonly count: () => Promise<boolean>;
    /** Makes a segment, or puts at most so many tasks into one; answers whether there may be more to do at once. */
    readonly file: (limit: number) => Promise<boolean>;
  };
}
