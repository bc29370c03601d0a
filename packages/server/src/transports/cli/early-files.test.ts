import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptAnswers } from './early-files.ts';

const place = { root: '' };

beforeEach(async () => {
  place.root = await mkdtemp(join(tmpdir(), 'errand-early-'));
});
afterEach(() => rm(place.root, { recursive: true, force: true }));

describe('kept answers', () => {
  it('are those of one token, readable only by their owner', async () => {
    const own = keptAnswers(place.root, ['errand_agent_a']);

    own.keep('tools/list', '{"tools":[]}');

    const [folder = ''] = await readdir(place.root);
    const [file = ''] = await readdir(join(place.root, folder));
    expect(own.read('tools/list')).toBe('{"tools":[]}');
    expect(keptAnswers(place.root, ['errand_agent_b']).read('tools/list')).toBeNull();
    expect(folder).not.toContain('errand_agent');
    expect((await stat(join(place.root, folder))).mode & 0o777).toBe(0o700);
    expect((await stat(join(place.root, folder, file))).mode & 0o777).toBe(0o600);
  });

  it('are gone after a refusal', () => {
    const own = keptAnswers(place.root, ['errand_agent_a']);
    own.keep('initialize', '{}');

    own.keep('initialize', null);

    expect(own.read('initialize')).toBeNull();
  });

  it('are not sent when their file is damaged', () => {
    const own = keptAnswers(place.root, ['errand_agent_a']);

    own.keep('initialize', '{"tools":[');

    expect(own.read('initialize')).toBeNull();
  });

  it('are kept for the tokens used last', async () => {
    const first = keptAnswers(place.root, ['first']);
    first.keep('initialize', '{}');
    const [folder = ''] = await readdir(place.root);
    await utimes(join(place.root, folder), 1, 1);

    for (let count = 0; count < 60; count++) keptAnswers(place.root, [`${count}`]).keep('initialize', '{}');

    expect(await readdir(place.root)).toHaveLength(50);
    expect(first.read('initialize')).toBeNull();
  });
});
