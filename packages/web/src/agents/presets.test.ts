import { expect, it } from 'vitest';
import { presetOf } from './presets.ts';

it('names the rights in a project by their preset, whatever the token has besides', () => {
  expect(presetOf(['board:write', 'board:read'])).toBe('Worker');
  expect(presetOf(['board:write', 'board:read', 'board:run', 'execution:report'])).toBe('Planner');
  expect(presetOf(['board:read', 'board:merge'])).toBe('Custom');
});
