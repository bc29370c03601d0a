import { CONTROL } from '#transports/cli/print';

/** Removes control characters from an agent's text: they could overwrite the screen and imitate our own output. */
export const plain = (text: string): string => text.replaceAll(CONTROL, '');

/** The same, on one line. */
export const plainLine = (text: string): string => plain(text).replaceAll(/\s+/g, ' ').trim();
