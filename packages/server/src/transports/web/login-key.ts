import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The key in the link that the first screen prints. It lives in this process only and opens once. */
export interface LoginKey {
  readonly text: string;
  /** True for the right key, the first time. Synchronous, so that of two requests at once only one wins. */
  readonly spend: (given: string) => boolean;
  /** Makes the key good again when what it opened could not be handed over. */
  readonly restore: () => void;
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

export function createLoginKey(): LoginKey {
  const text = randomBytes(16).toString('base64url');
  const expected = digest(text);
  let isSpent = false;

  return {
    text,
    spend: (given) => {
      if (isSpent || !timingSafeEqual(digest(given), expected)) return false;
      isSpent = true;
      return true;
    },
    restore: () => {
      isSpent = false;
    },
  };
}
