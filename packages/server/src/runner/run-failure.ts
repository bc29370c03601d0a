/** A run cannot be done. The message is shown to the people who watch the run. */
export class RunFailure extends Error {
  override readonly name: string = 'RunFailure';
  /** Details for the log only: they may name paths of this machine. */
  readonly detail: string | null;

  constructor(message: string, options: ErrorOptions & { readonly detail?: string | null } = {}) {
    super(message, options);
    this.detail = options.detail ?? null;
  }
}
