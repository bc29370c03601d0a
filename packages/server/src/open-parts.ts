/** The parts that `openParts` has opened, and the function that closes them. */
export type Opened<Parts extends object> = Parts & { readonly close: () => Promise<void> };

/**
 * Opens the parts of a process one after another. When one of them cannot be opened, closes the parts before it in
 * reverse: their timers and connections would keep the process alive.
 */
export async function openParts<Parts extends object>(
  open: (parts: AsyncDisposableStack) => Promise<Parts>,
): Promise<Opened<Parts>> {
  const parts = new AsyncDisposableStack();
  try {
    return { ...(await open(parts)), close: () => parts.disposeAsync() };
  } catch (error) {
    // The person has to read why the start failed, not why a close after it did.
    await parts.disposeAsync().catch(() => undefined);
    throw error;
  }
}
