import { createHmac, timingSafeEqual } from 'node:crypto';
import { say } from '#advice';
import { ErrandError } from '#errors';

export interface Cursors {
  /** Makes a cursor that only the same list of the same owner accepts. */
  readonly encode: (list: string, position: string) => string;
  readonly decode: (list: string, cursor: string) => string;
}

const MAC_LENGTH = 16;

/** Signed positions in lists: a forged cursor, or one of another list, is refused. */
export function createCursors(secret: string): Cursors {
  const mac = (list: string, position: string): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([list, position]))
      .digest()
      .subarray(0, MAC_LENGTH);

  return {
    encode: (list, position) => Buffer.concat([mac(list, position), Buffer.from(position)]).toString('base64url'),
    decode: (list, cursor) => {
      const bytes = Buffer.from(cursor, 'base64url');
      const position = bytes.subarray(MAC_LENGTH).toString();
      if (bytes.length > MAC_LENGTH && timingSafeEqual(bytes.subarray(0, MAC_LENGTH), mac(list, position)))
        return position;
      throw new ErrandError('validation_error', say`${{ field: 'cursor' }}: is not one that this list gave out.`, {
        hint: say`Pass next_cursor of the previous answer unchanged, or leave ${{ field: 'cursor' }} out to begin again.`,
        details: { fields: [{ field: 'cursor', problem: 'unknown cursor' }] },
      });
    },
  };
}
