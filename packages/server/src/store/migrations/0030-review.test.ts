import { expect, it } from 'vitest';
import type { ProjectId, WorkspaceId } from '#domain/ids';
import { MIGRATIONS } from './migrations.ts';
import { upgradesFrom } from './testing/upgrades-from.ts';

const BEFORE = MIGRATIONS.filter(({ name }) => name < '0030');

/** A project as the release before makes one, with the names of some of its states. */
const aProject = (id: string, states: Readonly<Record<string, string>>): string => `
insert into projects (id, workspace_id, kind, owner_id, name, card_guide, created_at)
values ('${id}', 'w1', 'team', null, '${id}', null, 1);
${Object.entries(states)
  .map(
    ([slug, name], position) => `
insert into states (id, project_id, slug, name, state_group, position)
values ('${id}-${slug}', '${id}', '${slug}', '${name}', 'started', ${position});`,
  )
  .join('')}
`;

const OLD_ROWS = `
insert into workspaces (id, name, created_at) values ('w1', 'Home', 1);
${aProject('kept', { inprogress: 'In progress', inreview: 'In review' })}
${aProject('renamed', { inreview: 'To check' })}
${aProject('taken', { inreview: 'In review', review: 'REVIEW' })}
`;

it.each(upgradesFrom(BEFORE, OLD_ROWS))(
  'names the unrenamed state of work to read Review, on %s',
  async (_, upgrade) => {
    await using upgraded = await upgrade();

    const named = async (id: string) =>
      (await upgraded.store.reads.projects.states('w1' as WorkspaceId, id as ProjectId)).map(({ slug, name }) => [
        slug,
        name,
      ]);

    expect(await named('kept')).toEqual([
      ['inprogress', 'In progress'],
      ['inreview', 'Review'],
    ]);
    expect(await named('renamed')).toEqual([['inreview', 'To check']]);
    expect(await named('taken')).toEqual([
      ['inreview', 'In review'],
      ['review', 'REVIEW'],
    ]);
  },
);
