import { RunFailure } from '#runner/run-failure';

/** A program could not be started or ended; the message is meant for whoever started the attempt. */
export class ProcessError extends RunFailure {
  override readonly name = 'ProcessError';
}
