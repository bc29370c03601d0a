import { expect, it } from 'vitest';
import { catalog } from '../../packages/server/src/tools/catalog.ts';
import { toolsPage } from './tools-page.ts';

it('spells the tools that the instructions of a profile name', () => {
  const page = toolsPage(catalog);

  expect(page).toContain('Call tasker_get_agent_instructions before');
  expect(page).not.toContain('[object');
});
