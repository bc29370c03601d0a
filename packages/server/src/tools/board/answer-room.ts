import { fitting, jsonLength, shortEnd, shortText } from '#domain/answer-size';

/** Keeps an answer short, and records which parts were shortened. */
export function createAnswerRoom(characters: number, isWhole: boolean) {
  let left = characters;
  const truncated = new Set<string>();

  return {
    truncated,

    /** The beginning of a text. */
    text: <Text extends string | null>(part: string, text: Text, most: number): Text => {
      if (text === null || isWhole) return text;
      const short = shortText(text, most);
      if (short !== text) truncated.add(part);
      // Values that are not text were handled above.
      return short as Text;
    },

    /** The end of a text. */
    end: (part: string, text: string, most: number): string => {
      if (isWhole) return text;
      const short = shortEnd(text, most);
      if (short !== text) truncated.add(part);
      return short;
    },

    /** Subtracts the fields that are always in the answer from the room for lists. */
    spend: <Value>(value: Value): Value => {
      left -= jsonLength(value);
      return value;
    },

    /** The first rows of a list that fit into the remaining room, and into `most` characters. */
    rows: <Row>(part: string, rows: readonly Row[], most: number): Row[] => {
      const shown = isWhole ? [...rows] : rows.slice(0, fitting(rows, Math.min(most, left)));
      if (shown.length < rows.length) truncated.add(part);
      left -= jsonLength(shown);
      return shown;
    },
  };
}

export type AnswerRoom = ReturnType<typeof createAnswerRoom>;
