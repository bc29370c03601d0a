/** A value, or a promise of one. */
export type Soon<Value> = Value | PromiseLike<Value>;

export const isPromise = <Value>(value: Soon<Value>): value is PromiseLike<Value> =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  'then' in value &&
  typeof value.then === 'function';

/**
 * Goes on with a value: at once when it is there, because waiting for a promise costs more than most tools do.
 * The `then` of a tool's own object may call back with a promise, call back twice, or never return anything: a
 * promise of ours brings that into order.
 */
export const after = <Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> =>
  isPromise(value) ? Promise.resolve(value).then(next) : next(value);
