import { describe, expect, it } from 'vitest';
import { operatorEnvironment } from './operator-program.ts';
import { forgeOf, forgeRepo } from './remote.ts';

describe('[L-SHIP] the address of a remote', () => {
  it.each([
    ['https://github.com/ana/shop.git', 'github.com', 'ana/shop'],
    ['https://ana:secret@GitHub.com/ana/shop', 'github.com', 'ana/shop'],
    ['ssh://git@git.example:2222/team/sub/shop.git', 'git.example', 'team/sub/shop'],
    ['git@gitlab.com:team/shop.git', 'gitlab.com', 'team/shop'],
    ['gitlab.example:team/shop/', 'gitlab.example', 'team/shop'],
  ])('[L-SHIP] of a forge is understood: %s', (address, host, path) => {
    expect(forgeRepo(address)).toEqual({ host, path });
  });

  it.each([
    '/srv/shop.git',
    'file:///srv/shop.git',
    '../shop',
    'shop',
    'https://github.com/shop',
    'ext::sh -c x',
    'git@h:-o/x',
  ])('[L-SHIP] that is no forge is not: %s', (address) => {
    expect(forgeRepo(address)).toBeNull();
  });

  it('[L-SHIP] says the program, unless the configuration does', () => {
    expect(forgeOf('github.com', {})).toBe('gh');
    expect(forgeOf('gitlab.example', {})).toBe('glab');
    expect(forgeOf('git.example', { 'git.example': 'glab' })).toBe('glab');
  });
});

it('[L-SHIP] programs of the operator get what reaches a forge, nothing of Errand, and never a prompt', () => {
  const env = operatorEnvironment({
    HOME: '/home/ana',
    GH_TOKEN: 'one',
    ERRAND_TOKEN: 'two',
    NOVA_X: 'three',
    SECRET: 'four',
  });

  expect(env).toMatchObject({ HOME: '/home/ana', GH_TOKEN: 'one', GIT_TERMINAL_PROMPT: '0', GH_PROMPT_DISABLED: '1' });
  expect(Object.keys(env).filter((name) => /ERRAND|NOVA|SECRET/.test(name))).toEqual([]);
  expect(operatorEnvironment({ GIT_SSH_COMMAND: 'mine' }).GIT_SSH_COMMAND).toBe('mine');
});
