import { RunFailure } from '#runner/run-failure';

/** A failure of git whose message may be read by whoever watches the run; what git itself said is for the log only. */
export class GitError extends RunFailure {
  override readonly name = 'GitError';

  constructor(message: string, detail: string | null = null) {
    super(message, { detail });
  }
}
