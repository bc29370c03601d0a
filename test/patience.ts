import { vi } from 'vitest';

/** Long enough for a busy machine. A passing test stops waiting at once. */
const PATIENCE_MS = 60_000;

const PATIENT = Symbol.for('errand.patient');
const { waitFor, waitUntil } = vi;

// Vitest's default is one second, and it has no setting for it. Files of one process share `vi`, so it is changed once.
if (!(PATIENT in vi)) {
  const patient = (options: Parameters<typeof waitFor>[1]) =>
    typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options };
  Object.assign(vi, {
    [PATIENT]: true,
    waitFor: ((callback, options) => waitFor(callback, patient(options))) as typeof waitFor,
    waitUntil: ((callback, options) => waitUntil(callback, patient(options))) as typeof waitUntil,
  });
}
