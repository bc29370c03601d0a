/** A value, or a promise of one. */
export type Soon<Value> = Value | PromiseLike<Value>;

export const isPromise = <Value>(value: Soon<Value>): value is PromiseLike<Value> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** Goes on with a value: at once when it is there, because waiting for a promise costs more than most tools do. */
export const after = <Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> =>
  isPromise(value) ? value.then(next) : next(value);
