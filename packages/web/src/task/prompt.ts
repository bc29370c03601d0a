import type { SeenTask } from '../api/task.ts';
import { blocksOf } from './blocks.ts';

/**
 * What a person can paste to an agent that does not know Errand: key, title, description, criteria and texts as
 * Markdown.
 */
export function promptOf(seen: SeenTask): string {
  const { task } = seen;
  const parts = [`${task.key === null ? '' : `${task.key}: `}${task.title}`];
  if (task.description !== null) parts.push(task.description);
  for (const block of blocksOf(seen)) {
    const body =
      block.type === 'text'
        ? block.text
        : block.items.map(({ text, checked }) => `- [${checked ? 'x' : ' '}] ${text}`).join('\n');
    parts.push(block.title === undefined ? body : `## ${block.title}\n\n${body}`);
  }
  if (task.key !== null) parts.push(`If you have the tools of Errand, this is its task ${task.key}.`);
  return parts.join('\n\n');
}
