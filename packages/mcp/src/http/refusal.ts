/** Thrown by `authenticate` for a request that must not be served. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Makes the refusal of a request without a valid token. */
export const unauthorized = (message = 'Send a valid bearer token.'): Refusal =>
  new Refusal(401, message, { 'www-authenticate': 'Bearer' });
