import type { Tool } from './catalog.ts';
import type { ProfileName } from './profiles.ts';

/** A sentence ends before the capital letter that begins the next one. */
const SENTENCE_END = /(?<=[.!?])\s+(?=[A-Z"])/;

export const sentencesOf = (text: string): readonly string[] => text.split(SENTENCE_END);

/**
 * Finds the tools that a text of ours mentions. Advice to call a tool that the caller does not have only costs the model a
 * refused call.
 */
export function createMentions(tools: readonly Tool[]) {
  const words = [...new Set(tools.flatMap(({ name, full_name }) => [name, full_name]))];
  const pattern = new RegExp(`\\b(?:${words.toSorted((a, b) => b.length - a.length).join('|')})\\b`, 'g');
  const byFullName = new Map(tools.map((tool) => [tool.full_name, tool]));
  const byName = new Map(tools.map((tool) => [`${tool.profile} ${tool.name}`, tool]));

  const mentioned = (of: ProfileName, text: string): readonly Tool[] =>
    [...text.matchAll(pattern)].flatMap(([word]) => byName.get(`${of} ${word}`) ?? byFullName.get(word) ?? []);

  return {
    /** The sentences, in the words of a profile, that mention nothing but these tools. */
    within: (of: ProfileName, sentences: readonly string[], visible: readonly Tool[]): readonly string[] => {
      const names = new Set(visible.map(({ full_name }) => full_name));
      return sentences.filter((sentence) => mentioned(of, sentence).every(({ full_name }) => names.has(full_name)));
    },
  };
}

export type Mentions = ReturnType<typeof createMentions>;
