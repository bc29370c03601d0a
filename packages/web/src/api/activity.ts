import { infiniteQueryOptions } from '@tanstack/react-query';
import { type AdminListAuditAnswer, adminExportAudit, adminListAudit, adminVerifyAudit } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { firstCursor } from './pages.ts';

export type Entry = AdminListAuditAnswer['entries'][number];

const PAGE = 100;
const EXPORT_PAGE = 1_000;

export interface AuditFilter {
  readonly user?: string;
  readonly agent?: string;
  readonly action?: string;
  readonly refused?: boolean;
  /** Only what was done since then: the beginning of a day, in the time of the browser. */
  readonly since?: string;
}

const requestOf = ({ user, agent, action, refused, since }: AuditFilter) => ({
  ...(user !== undefined && { userId: user }),
  ...(agent !== undefined && { agentId: agent }),
  ...(action !== undefined && { action }),
  ...(refused === true && { outcome: 'denied' as const }),
  ...(since !== undefined && { since }),
});

/** Who did what, newest first. */
export const activityQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['activity', 'list', requestOf(filter)],
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        adminListAudit(
          {
            limit: PAGE,
            ...requestOf(filter),
            ...(pageParam !== null && { cursor: pageParam }),
          },
          { signal },
        ),
      ),
    initialPageParam: firstCursor(),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

/** Checks that no entry was changed or removed. */
export const verified = () => answerOf(adminVerifyAudit());

/** The whole trail as lines of JSON, oldest first, with the hashes that prove it. */
export async function exportedTrail(): Promise<string> {
  const lines: string[] = [];
  let after: number | undefined;
  do {
    const page = await answerOf(adminExportAudit({ limit: EXPORT_PAGE, ...(after !== undefined && { after }) }));
    for (const entry of page.entries) lines.push(JSON.stringify(entry));
    after = page.next_after;
  } while (after !== undefined);
  return `${lines.join('\n')}\n`;
}

/** The entries that match a filter as lines of JSON, newest first, as the page lists them. */
export async function exportedEntries(filter: AuditFilter, matches: (entry: Entry) => boolean): Promise<string> {
  const lines: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await answerOf(
      adminListAudit({ limit: PAGE, ...requestOf(filter), ...(cursor !== undefined && { cursor }) }),
    );
    for (const entry of page.entries) if (matches(entry)) lines.push(JSON.stringify(entry));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return lines.map((line) => `${line}\n`).join('');
}
