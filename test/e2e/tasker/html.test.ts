import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { survivorsIn, XSS_VECTORS } from '../../../packages/server/src/domain/testing/xss-vectors.ts';
import { times } from '../counts.ts';
import { verifyChain } from '../durability/oracle.ts';
import { GRANTABLE } from './matrix.ts';
import { anItem, type PlantedAgent, plantAgent, plantSession } from './site.ts';
import { readings, storeText, TEXT_FIELDS, type TextField, textsIn } from './text-fields.ts';
import { openTracker, type Tracker } from './tracker.ts';
import { type AgentClient, overHttp, overRest } from './ways.ts';

// Each vector is tried in every sixth field.
const SHARES = times({ whole: 1, part: 6 });

const vectorsFor = (field: number): readonly string[] => XSS_VECTORS.filter((_, at) => (at + field) % SHARES === 0);

const isHtml = (name: string): boolean => name.endsWith('_html');

describe('HTML that attacks its reader', () => {
  let tracker: Tracker;
  let agent: PlantedAgent;
  let clients: readonly AgentClient[];
  beforeAll(async () => {
    tracker = await openTracker('sqlite');
    const { store, home, server } = tracker;
    agent = await plantAgent(store, home, [home.project_id], GRANTABLE);
    clients = await Promise.all(
      [overRest(server.origin), overHttp('2025-06-18', server.origin, '/mcp')].map((way) => way.connect(agent.token)),
    );
  });
  afterAll(async () => {
    await tracker?.[Symbol.asyncDispose]();
  });

  /** Makes a new card, so that one vector cannot hide another. */
  const ownCard = async () => {
    const { store, home } = tracker;
    const item = anItem(home, 'own card');
    await store.transaction((tx) => tx.workItems.insert(item));
    const site = { ...home, issue_id: item.id };
    return { ...site, work_session_id: await plantSession(store, site, agent) };
  };

  /** Stores one vector, and returns all HTML that is read back; null when it is refused. */
  async function htmlAfter(field: TextField, vector: string): Promise<readonly string[] | null> {
    const [rest, mcp] = clients as readonly [AgentClient, AgentClient]; // made in pairs above
    // Words on both sides: a comment must not be empty, and an unclosed tag of the vector must not swallow them.
    const stored = await storeText(rest, field, `before ${vector} after`, await ownCard());
    if (!stored.ok) expect(stored.error.code).toBe('validation_error');
    if (!stored.ok) return null;
    const answers = [];
    for (const [tool, args] of readings(stored.issue_id, tracker.home.project_id).slice(0, 2)) {
      answers.push(await rest.call(tool, args), await mcp.call(tool, args));
    }
    expect(answers.every(({ ok }) => ok)).toBe(true);
    return [stored, ...answers].flatMap((answer) =>
      textsIn(answer).flatMap(([name, text]) => (isHtml(name) ? [text] : [])),
    );
  }

  it.each(TEXT_FIELDS.map((field, index) => [field.title, field, vectorsFor(index)] as const))(
    `comes out of %s without a survivor`,
    async (_, field, vectors) => {
      const survivors: string[] = [];
      const lost: string[] = [];
      for (let at = 0; at < vectors.length; at += 16) {
        await Promise.all(
          vectors.slice(at, at + 16).map(async (vector) => {
            const html = await htmlAfter(field, vector);
            if (html === null) return;
            survivors.push(...html.flatMap(survivorsIn));
            // Plain text that becomes HTML must be escaped, not read as markup.
            if (field.title.endsWith('summary') && vector.includes('<') && !html.join().includes('&lt;'))
              lost.push(vector);
          }),
        );
      }

      expect(survivors.slice(0, 5), `${survivors.length} survivors`).toEqual([]);
      expect(lost).toEqual([]);
    },
  );

  it('was stored for the most part: what is refused proves nothing', async () => {
    const [row] = await tracker.database.rows(
      'select count(*) as n from work_items where description_html is not null',
    );
    const [comments] = await tracker.database.rows('select count(*) as n from comments');

    expect(XSS_VECTORS.length).toBeGreaterThanOrEqual(200);
    expect(Number(row?.n)).toBeGreaterThan(XSS_VECTORS.length / SHARES);
    expect(Number(comments?.n)).toBeGreaterThan((2 * XSS_VECTORS.length) / SHARES);
  });

  it('leaves an audit trail that is intact', async () => {
    expect(await verifyChain(tracker.place.data)).toBe(true);
  });
});
