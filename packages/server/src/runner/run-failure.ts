/** A run cannot be done, for a reason that whoever watches it should read. */
export class RunFailure extends Error {
  override readonly name: string = 'RunFailure';
  /** More of it, for the log only: it may name places of this machine. */
  readonly detail: string | null;

  constructor(message: string, options: ErrorOptions & { readonly detail?: string | null } = {}) {
    super(message, options);
    this.detail = options.detail ?? null;
  }
}
