import { blocksOf } from '#domain/blocks';
import { type CleanHtml, textOfClean } from '#domain/rich-text';
import type { Issue, IssueChanges } from '#services/tasker/adapter';
import type { Item } from './answers.ts';
import { isWrittenBy, type Operation } from './blocks-html.ts';
import { takeApart } from './description.ts';
import { keepsLayout } from './issues.ts';

/** Plane trims texts and rewrites HTML; only the words can be compared. */
const squeezed = (text: string): string => text.replaceAll(/\s+/g, '');
const wordsOf = (html: CleanHtml | null): string => (html === null ? '' : squeezed(textOfClean(html)));

const isSet = <T>(wanted: T | undefined, present: T): boolean => wanted === undefined || wanted === present;

/** Whether added labels are there, and removed ones are not. Other labels do not matter. */
function hasLabels(wanted: readonly string[], before: Issue, after: Issue): boolean {
  const [had, has] = [before, after].map(({ labels }) => new Set(labels.map(({ id }) => id)));
  const added = wanted.filter((id) => !had?.has(id));
  const removed = [...(had ?? [])].filter((id) => !wanted.includes(id));
  return added.every((id) => has?.has(id)) && !removed.some((id) => has?.has(id));
}

/** Whether an issue, read after a change, is as the change wanted it. */
export function isKept(changes: IssueChanges, before: Issue, after: Issue): boolean {
  const { name, description_html, priority, start_date, target_date, parent_id, state, label_ids } = changes;
  return (
    (name === undefined || squeezed(name) === squeezed(after.name)) &&
    (description_html === undefined || wordsOf(after.description_html).startsWith(wordsOf(description_html))) &&
    isSet(priority, after.priority) &&
    isSet(start_date, after.start_date) &&
    isSet(target_date, after.target_date) &&
    isSet(parent_id, after.parent_id) &&
    isSet(state?.id, after.state.id) &&
    (label_ids === undefined || hasLabels(label_ids, before, after))
  );
}

/** Whether written blocks are there, or an edited form of them. A fork's field does not need the check. */
export function keepsBlocks({ detail_layout }: IssueChanges, item: Item, operation: Operation): boolean {
  if (detail_layout === undefined || blocksOf(detail_layout).length === 0 || keepsLayout(item)) return true;
  return isWrittenBy(takeApart(item.description_html).section, operation);
}
