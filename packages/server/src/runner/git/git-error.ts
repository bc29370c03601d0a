import { RunFailure } from '#runner/run-failure';

/** A failure of git. The message is shown to the people who watch the run; git's own output goes to the log only. */
export class GitError extends RunFailure {
  override readonly name = 'GitError';

  constructor(message: string, detail: string | null = null) {
    super(message, { detail });
  }
}
