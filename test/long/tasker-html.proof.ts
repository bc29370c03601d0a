import { env } from 'node:process';
import { it } from 'vitest';
import { assertSanitizedOnce } from '../../packages/server/src/domain/testing/rich-text-properties.ts';

const RUNS = Number(env.ERRAND_HTML_RUNS ?? 1_000_000);

it(`HTML that was cleaned stays as it is, and holds nothing but text: ${RUNS} inputs`, { timeout: 1_200_000 }, () => {
  assertSanitizedOnce(RUNS);
});
