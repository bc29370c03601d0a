import { CONTROL } from '#transports/cli/print';

/** Words of agents as a terminal can be shown them: they could otherwise write over what stands there, and pass for ours. */
export const plain = (text: string): string => text.replaceAll(CONTROL, '');

/** The same on a single line. */
export const plainLine = (text: string): string => plain(text).replaceAll(/\s+/g, ' ').trim();
