/** A name for one call: the server does it once, however often it is sent. */
export function onceKey(): string {
  // crypto.randomUUID is missing on pages that come over plain HTTP from another machine.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
