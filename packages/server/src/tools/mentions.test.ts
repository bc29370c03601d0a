import { describe, expect, it } from 'vitest';
import { catalog } from './catalog.ts';
import { createMentions, sentencesOf } from './mentions.ts';
import { PROFILES, type ProfileName } from './profiles.ts';

const mentions = createMentions(catalog);
const toolsOf = (...names: readonly string[]) => catalog.filter(({ full_name }) => names.includes(full_name));

describe('the tools that a text mentions', () => {
  it('keep only the sentences that someone with these tools can follow', () => {
    const sentences = sentencesOf('Call next_task for other work. Tell a person. Ask get_task who has it.');

    expect(mentions.within('board', sentences, toolsOf('get_task'))).toEqual([
      'Tell a person.',
      'Ask get_task who has it.',
    ]);
    expect(mentions.within('board', sentences, [])).toEqual(['Tell a person.']);
  });

  it('are those of the profile in whose words it is written', () => {
    const sentences = ['Call list_tasks.'];

    expect(mentions.within('todo', sentences, toolsOf('list_tasks'))).toEqual([]);
    expect(mentions.within('todo', sentences, toolsOf('todo_list_tasks'))).toEqual(sentences);
    expect(mentions.within('board', sentences, toolsOf('list_tasks'))).toEqual(sentences);
  });

  it('leave something to say to someone who has a single tool of a profile', () => {
    const silent = catalog
      .filter(({ profile, mcp }) => mcp && PROFILES[profile].mcp)
      .filter(
        (tool) =>
          mentions.within(tool.profile, PROFILES[tool.profile as ProfileName].instructions, [tool]).length === 0,
      );

    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});
