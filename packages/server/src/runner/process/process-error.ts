import { RunFailure } from '#runner/run-failure';

/** A program could not be started or ended. The message is shown to the person who started the attempt. */
export class ProcessError extends RunFailure {
  override readonly name = 'ProcessError';
}
