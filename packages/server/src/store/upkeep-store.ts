import type { ProjectId } from '#domain/ids';

/** The frequent words of a segment of the search index; null when they are to be listed again. */
export interface SegmentWords {
  readonly project_id: ProjectId;
  readonly segment: number;
  /** What `list` expects to find: it does nothing if another process has listed the segment since. */
  readonly listed: number;
  readonly words: readonly { readonly word: string; readonly tasks: string }[] | null;
}

/** Work on what the store keeps so that reads need not compute it: see `Reads`. Until it is done, reads take longer. */
export interface UpkeepReads {
  readonly upkeep: {
    /** Whether tasks, changes of their states, or todos wait to be counted. */
    readonly hasUncounted: () => Promise<boolean>;
    /** Whether a project has tasks for one more segment of the search index, or a segment waits for its tasks. */
    readonly hasUnfiled: () => Promise<boolean>;
    /** The words of a segment that `list` is to keep. They are read here, since writers would wait for it. */
    readonly unlisted: () => Promise<SegmentWords | null>;
    /** A segment whose words `list` must drop, since many of its tasks were changed. */
    readonly outdated: () => Promise<SegmentWords | null>;
  };
}

export interface UpkeepWrites {
  readonly upkeep: UpkeepReads['upkeep'] & {
    /** Counts the tasks of one project, or todos of one list; Returns whether there was one to count. */
    readonly count: () => Promise<boolean>;
    /** Makes a segment, or puts at most `limit` tasks into one. Returns whether there may be more to do at once. */
    readonly file: (limit: number) => Promise<boolean>;
    readonly list: (words: SegmentWords) => Promise<void>;
  };
}
