import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** How long tests wait for what comes by itself, on a machine that is busy with other work. */
const PATIENT = { setupFiles: ['test/patience.ts'], expect: { poll: { timeout: 60_000 } } };

// Packages of this repository are tested as they are written, not as they are built.
const SOURCE = { conditions: ['errand-source', 'node', 'development|production'] };

/** Last the project with the smallest files: a core that runs out of work is idle until the last file has ended. */
const TURNS = ['dynamodb', 'web', 'web-long', 'e2e', 'runner', 'unit'];

/** Files that wait for a database, the longest of their project however small they are. */
const isLong = ({ moduleId }: TestSpecification): boolean => /\/stores?\//.test(moduleId);

class InTurn extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turn = ({ project }: TestSpecification): number => TURNS.indexOf(project.name);
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => turn(a) - turn(b) || Number(isLong(b)) - Number(isLong(a)));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: InTurn },
    // One more than the two cores that are expected: a third of the time a file only waits for a clock or a server.
    maxWorkers: 3,
    projects: [
      {
        resolve: SOURCE,
        ssr: { resolve: SOURCE },
        test: {
          name: 'unit',
          ...PATIENT,
          include: ['packages/*/src/**/*.test.ts', 'examples/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [
            'packages/tasks/src/stores/dynamodb/**',
            'packages/server/src/runner/**',
            'examples/tasks-dynamodb/**',
            '**/node_modules/**',
          ],
          globalSetup: ['test/postgres.ts', 'test/redis.ts'],
          // Every file would otherwise evaluate the same 300 modules again, which costs more than the tests.
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        resolve: SOURCE,
        ssr: { resolve: SOURCE },
        test: {
          // Apart from the others: these start thousands of processes, and each start costs the more the larger the
          // process is that starts it; one that has loaded the whole product costs twice as much.
          name: 'runner',
          ...PATIENT,
          include: ['packages/server/src/runner/**/*.test.ts'],
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        resolve: SOURCE,
        ssr: { resolve: SOURCE },
        test: {
          // Apart from the others: its server needs a second and 300 MB, which only these tests should cost.
          name: 'dynamodb',
          ...PATIENT,
          include: ['packages/tasks/src/stores/dynamodb/**/*.test.ts', 'examples/tasks-dynamodb/**/*.test.ts'],
          globalSetup: ['test/dynamodb.ts'],
          testTimeout: 180_000,
        },
      },
      {
        resolve: SOURCE,
        ssr: { resolve: SOURCE },
        test: {
          name: 'e2e',
          ...PATIENT,
          include: ['test/**/*.test.ts'],
          exclude: ['test/web/**', '**/node_modules/**'],
          globalSetup: ['test/postgres.ts', 'test/redis.ts'],
          // As for the unit tests: each file would evaluate the modules of the SDKs and of the product again.
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        resolve: SOURCE,
        ssr: { resolve: SOURCE },
        test: {
          // Apart from the others: only these need a browser.
          name: 'web',
          ...PATIENT,
          include: ['test/web/**/*.test.ts'],
          exclude: ['test/web/**/*.long.test.ts', '**/node_modules/**'],
          globalSetup: ['test/chromium.ts'],
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        resolve: SOURCE,
        ssr: { resolve: SOURCE },
        test: {
          // Not part of `npm test`: these would double the time of its browser.
          name: 'web-long',
          ...PATIENT,
          include: ['test/web/**/*.long.test.ts'],
          globalSetup: ['test/chromium.ts'],
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/server/src/tools/**/*.ts', 'packages/server/src/gateway/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: {
        lines: 90,
        // Of the tools alone, so that the gateway cannot make up for what they lack.
        'packages/server/src/tools/**/*.ts': { lines: 90, functions: 90 },
      },
    },
  },
});
