import { describe, expect, it } from 'vitest';
import { runEnvironment } from './run-environment.ts';

describe('the environment of a run', () => {
  it('has the variables that programs need to work', () => {
    const own = {
      PATH: '/bin',
      HOME: '/h',
      LC_ALL: 'C',
      XDG_CACHE_HOME: '/c',
      https_proxy: 'p',
      NODE_EXTRA_CA_CERTS: 'f',
    };

    expect(runEnvironment(own, [])).toEqual(own);
  });

  it.each([
    'ERRAND_TOKEN',
    'ERRAND_DATABASE_URL',
    'TASK_MANAGER_TOKEN',
    'PLANE_API_KEY',
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'ANTHROPIC_API_KEY',
    'NOVA_EXECUTION_ID',
    'NODE_OPTIONS',
    'LD_PRELOAD',
    'SSH_AUTH_SOCK',
    'XDG_TOKEN',
    'LC_SECRET',
    'PATH_TOKEN',
    'path',
  ])('does not have %s, unless its agent may', (name) => {
    const own = { [name]: 'canary' };

    expect(runEnvironment(own, ['OTHER'])).toEqual({});
    expect(runEnvironment(own, [name])).toEqual(own);
  });

  it('has no variable that is not set', () => {
    expect(runEnvironment({ HOME: undefined }, ['MISSING'])).toEqual({});
  });
});
