/**
 * A reading that is begun before the check of the right to it has ended: a round trip less. Where the check refuses,
 * nothing awaits the reading, whose own failure would end the process then.
 */
export function early<T>(reading: Promise<T>): Promise<T> {
  reading.catch(() => {});
  return reading;
}
