import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Folder, temporaryFolder } from '../../../test/e2e/program.ts';
import { type BenchErrand, startErrand } from '../errand.ts';
import { fire } from '../load.ts';
import { milliseconds, type Section } from '../report.ts';
import { compete, median, ratio } from '../rounds.ts';
import type { Suite } from '../suite.ts';

const MINE = 100;
const FEW = 1_000;
const MANY = 1_000_000;
const MAX_RATIO = 1.5;

/** Rows of other users, written directly into the file: through the product a million would take minutes. */
const OTHERS = `
with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
insert into work_items (id, workspace_id, project_id, owner_id, state_id, title, priority, sort_order, version, created_at, updated_at)
select printf('%s-%07d', u.owner_id, n.i), u.workspace_id, u.project_id, u.owner_id, u.state_id, 'Task ' || n.i, 'none', n.i, 1, n.i, n.i
from n join (
  select p.workspace_id, p.id as project_id, p.owner_id, s.id as state_id, row_number() over (order by p.id) - 1 as place, count(*) over () as users
  from projects p join users o on o.id = p.owner_id join states s on s.project_id = p.id and s.slug = 'todo'
  where p.kind = 'personal' and o.name = 'other'
) u on u.place = n.i % u.users`;

const OTHER_USERS = 10;

async function crowd(folder: Folder, others: number): Promise<BenchErrand> {
  const place = { data: folder.path };
  const errand = await startErrand(place);
  for (let user = 0; user < OTHER_USERS; user++) await errand.admin.addUser('other');
  for (let index = 1; index <= MINE; index++) {
    await errand.call('add_task', { user_id: errand.user_id, title: `Buy groceries ${index}` });
  }
  const file = new DatabaseSync(join(folder.path, 'errand.db'), { timeout: 60_000 });
  file.prepare(OTHERS).run(others);
  file.close();
  return errand;
}

/** Measures whether other users' tasks make a user's own list slower. */
export const scale: Suite = async ({ effort, wrk }): Promise<Section> => {
  await using small = await temporaryFolder();
  await using large = await temporaryFolder();
  await using few = await crowd(small, FEW);
  await using many = await crowd(large, MANY);
  const contestant = (name: string, errand: BenchErrand) => ({
    name,
    run: async (seconds: number): Promise<number> => {
      const shot = errand.shot('2026-07-28', 'list_tasks', { user_id: errand.user_id, limit: MINE });
      return (await fire(shot, { connections: 1, seconds }, wrk)).p50_ms;
    },
  });
  const figures = await compete([contestant('few', few), contestant('many', many)], effort);

  const [quick = [], slow = []] = [figures.get('few'), figures.get('many')];
  const measured = ratio(slow, quick);
  return {
    title: 'Growing: `list_tasks` among many',
    how: `A user with ${MINE} tasks lists them, one call at a time, p50.`,
    findings: [
      {
        subject: `among ${MANY.toLocaleString('en')} tasks of others`,
        figure: milliseconds(median(slow)),
        against: `among ${FEW.toLocaleString('en')}: ${milliseconds(median(quick))}`,
        ratio: measured,
        target: `≤ ${MAX_RATIO} ×`,
        met: measured <= MAX_RATIO,
      },
    ],
  };
};
