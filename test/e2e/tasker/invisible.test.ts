import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommentId, LabelId, StateId } from '../../../packages/server/src/domain/ids.ts';
import type { Answer } from '../client.ts';
import { GRANTABLE } from './matrix.ts';
import { anItem, newId, type PlantedAgent, plantAgent, plantSession, type Site } from './site.ts';
import { readings, storeText, TEXT_FIELDS, textsIn } from './text-fields.ts';
import { openTracker, type Tracker } from './tracker.ts';
import { type AgentClient, overHttp, overRest } from './ways.ts';

const HIDDEN = [
  0x200b, 0x2060, 0xfeff, 0x00ad, 0x202e, 0x2066, 0x200e, 0x061c, 0xe0041, 0xe007f, 0x3164, 0xfff9, 0x0007,
];
const HIDDEN_TEXT = HIDDEN.map((point) => String.fromCodePoint(point)).join('');
const DIRTY = `A${HIDDEN.map((point) => `${String.fromCodePoint(point)}B`).join('')}`;
const CLEAN = `A${'B'.repeat(HIDDEN.length)}`;
const ENTITIES = `A${HIDDEN.slice(0, 10)
  .map((point, at) => `&#${at % 2 === 0 ? point : `x${point.toString(16)}`};B`)
  .join('')}`;
/** A family, a flag made of tags, a skin tone, a keycap, a heart as emoji; Chinese, Japanese, Korean, Arabic, Hindi. */
const KEPT =
  '\u{1F468}\u200d\u{1F469}\u200d\u{1F467} \u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} \u{1F44D}\u{1F3FD} 1\ufe0f\u20e3 \u2764\ufe0f 漢字 かな 한국어 العربية क्‍ष';

/** Returns the hidden characters in all texts and field names of an answer. */
const hiddenIn = (answer: Answer): readonly string[] =>
  textsIn(answer).flatMap(([name, text]) => {
    const rest = text.replaceAll(KEPT, '');
    return [...HIDDEN_TEXT].some((hidden) => rest.includes(hidden)) ? [`${name}: ${spelled(rest.slice(0, 80))}`] : [];
  });

const spelled = (text: string): string => text.replaceAll(/[^ -~]/gu, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`);

describe('invisible characters', () => {
  let tracker: Tracker;
  let agent: PlantedAgent;
  let clients: readonly [AgentClient, AgentClient];
  beforeAll(async () => {
    tracker = await openTracker('sqlite');
    const { store, home, server } = tracker;
    agent = await plantAgent(store, home, [home.project_id], GRANTABLE);
    clients = [
      await overRest(server.origin).connect(agent.token),
      await overHttp('2026-07-28', server.origin, '/mcp').connect(agent.token),
    ];
  });
  afterAll(async () => {
    await tracker?.[Symbol.asyncDispose]();
  });

  async function ownCard(): Promise<Site & { readonly work_session_id: string }> {
    const { store, home } = tracker;
    const item = anItem(home, 'own card');
    await store.transaction((tx) => tx.workItems.insert(item));
    const site = { ...home, issue_id: item.id };
    return { ...site, work_session_id: await plantSession(store, site, agent) };
  }

  async function readAll(issue_id: string): Promise<readonly Answer[]> {
    const calls = readings(issue_id, tracker.home.project_id);
    const answers = await Promise.all(
      clients.flatMap((client) => calls.map(([tool, args]) => client.call(tool, args))),
    );
    expect(answers.filter(({ ok }) => !ok)).toEqual([]);
    return answers;
  }

  it.each(TEXT_FIELDS.map((field) => [field.title, field] as const))(
    'are gone after %s, and what is seen is as it was',
    async (_, field) => {
      const at = await ownCard();

      const stored = await storeText(clients[0], field, `${DIRTY} ${KEPT}${field.html ? ENTITIES : ''}`, at);

      expect(stored).toMatchObject({ ok: true });
      const answers = await readAll(stored.issue_id);
      expect([stored, ...answers].flatMap(hiddenIn)).toEqual([]);
      const texts = answers.flatMap((answer) => textsIn(answer).map(([, text]) => text)).join('\n');
      expect(texts).toContain(`${CLEAN} ${KEPT}`);
    },
  );

  it('are in no answer, though they are in the rows', async () => {
    const { store, home, force } = tracker;
    const { issue_id, project_id, member_id } = await ownCard();
    const html = `<p>${DIRTY} ${KEPT}</p>`;
    const block = { id: 'b', type: 'text', title: DIRTY, text: DIRTY };
    const layout = JSON.stringify({ nodedc_structured_blocks: { version: 1, blocks: [block] } });
    await store.transaction(async (tx) => {
      const { owner_id: author_user_id, agent_id: author_agent_id } = agent;
      const author = { author_user_id, author_agent_id, created_at: 1 };
      await tx.projects.insertLabel({ id: newId() as LabelId, project_id, name: DIRTY, color: null, created_at: 1 });
      const state = { id: newId() as StateId, project_id, slug: 'dirty', name: DIRTY, position: 9 };
      await tx.projects.insertState({ ...state, state_group: 'started' });
      await tx.workItems.insertComment({
        id: newId() as CommentId,
        work_item_id: issue_id,
        comment_html: html,
        ...author,
      });
      await tx.settings.put('workspace_guide', DIRTY);
      const row = await tx.workItems.find({ workspace_id: home.workspace_id, project_ids: 'all' }, issue_id);
      if (row === null) throw new Error('no card');
      const texts = { title: DIRTY, description: DIRTY, description_html: html, detail_layout: layout };
      await tx.workItems.update({ ...row, ...texts, state_id: state.id, version: row.version + 1 });
      await tx.workItems.setAssignees(row, [member_id]);
    });
    await force(`update projects set name = ?, card_guide = 'x' || name || '${DIRTY}'`, DIRTY);
    await force('update users set name = ?', DIRTY);
    await force('update agents set name = ?', DIRTY);

    const answers = await readAll(issue_id);

    expect(answers.flatMap(hiddenIn)).toEqual([]);
    expect(JSON.stringify(answers)).toContain(CLEAN);
  });
});
