const HIDDEN = '[token]';

/** A text without the token of the run: agents print what they get. */
export const hideToken = (text: string, token: string): string => text.replaceAll(token, HIDDEN);
