import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { undescribed, withFileIndex } from './file-index.ts';

const SAID = 'how a thing of the product is found again';

describe('the list of every file', () => {
  let root: string;
  const write = (file: string, text = '') => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const linesOf = (text: string) => text.split('\n').filter((line) => line.startsWith('- '));
  const listed = (text: string) => linesOf(withFileIndex(text, root));

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'file-index-'));
    write('packages/server/src/domain/b.ts');
    write('scripts/a.cjs');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('keeps the text before the list and the description of each file', () => {
    const written = withFileIndex('# Top\n', root).replace('`domain/b.ts`', `\`domain/b.ts\` ${SAID}`);

    const again = withFileIndex(written, root);

    expect(again).toBe(written);
    expect(again).toMatch(/^# Top\n\n## Every file\n/);
    expect(linesOf(again)).toEqual([`- \`domain/b.ts\` ${SAID}`, '- `scripts/a.cjs`']);
  });

  it('adds new files without a description, folder after folder, in the order of their names', () => {
    const written = withFileIndex('', root);
    for (const name of ['a.ts', 'c/a.ts', 'd.ts']) write(`packages/server/src/domain/${name}`);

    const lines = listed(written);

    const paths = ['domain/a.ts', 'domain/b.ts', 'domain/d.ts', 'domain/c/a.ts', 'scripts/a.cjs'];
    expect(lines).toEqual(paths.map((path) => `- \`${path}\``));
  });

  it('drops the line of a file that is gone', () => {
    const written = withFileIndex('', root).replace('`domain/b.ts`', `\`domain/b.ts\` ${SAID}`);
    rmSync(join(root, 'packages/server/src/domain/b.ts'));

    expect(listed(written)).toEqual(['- `scripts/a.cjs`']);
  });

  it('keeps the description of a file that moves to another folder, unless two of its name are gone', () => {
    write('packages/server/src/store/b.ts');

    const one = listed(`## Every file\n- \`tools/b.ts\` ${SAID}\n- \`domain/b.ts\` stays here`);
    const two = listed(`## Every file\n- \`tools/b.ts\` ${SAID}\n- \`gateway/b.ts\` ${SAID}`);

    expect(one).toEqual(['- `domain/b.ts` stays here', `- \`store/b.ts\` ${SAID}`, '- `scripts/a.cjs`']);
    expect(two).toEqual(['- `domain/b.ts`', '- `store/b.ts`', '- `scripts/a.cjs`']);
  });

  it('writes one line for a path that a merge has doubled, with its description', () => {
    const doubled = `## Every file\n- \`domain/b.ts\`\n- \`domain/b.ts\` ${SAID}\n- \`domain/b.ts\`\n`;

    expect(listed(doubled)).toEqual([`- \`domain/b.ts\` ${SAID}`, '- `scripts/a.cjs`']);
  });

  it('leaves out tests and migrations', () => {
    const written = listed('');
    write('packages/server/src/domain/b.test.ts');
    write('packages/server/src/store/migrations/0001-first.ts');

    expect(listed('')).toEqual(written);
  });

  it('describes a file that defines a tool with the words that callers read of it', () => {
    const tool = "export const addTask = defineTool({\n  name: 'add_task',\n  description:\n    'Adds a task.',\n});";
    write('packages/server/src/tools/todo/add-task.ts', tool);
    write('packages/server/src/tools/todo/fields.ts', "export const title = { name: 'x', description: 'y',\n};");

    expect(listed('')).toContain('- `tools/todo/add-task.ts` the tool `add_task`: Adds a task.');
    expect(listed('')).toContain('- `tools/todo/fields.ts`');
  });

  it('describes a file of the web board with its comments, each after the name and number of its subject', () => {
    const source = [
      '/** How long it stays. */\nconst TOAST_MS = 8_000;',
      '/** Whether it\n * stays. */\nexport const isKept = 1;',
      '/** The toasts\n * of the page. */\nexport class ToastList {}',
      '  /** Within. */\n  const inner = 1;',
      'const MAX_TOASTS = 3;',
    ];
    write('packages/web/src/ui/toast-list.ts', source.join('\n'));
    write('packages/web/src/ui/one.ts', '/** Names a thing. */\nexport function named() {}');

    const lines = listed('## Every file\n- `packages/web/src/ui/one.ts` an older description');

    const comments = 'The toasts of the page. `isKept`: Whether it stays. `TOAST_MS` 8 s: How long it stays.';
    expect(lines).toContain(`- \`packages/web/src/ui/toast-list.ts\` ${comments} — \`MAX_TOASTS\` 3`);
    expect(lines).toContain('- `packages/web/src/ui/one.ts` Names a thing.');
  });

  it('takes the colon away that a person wrote behind a path', () => {
    expect(listed(`## Every file\n- \`domain/b.ts\`: ${SAID}`)).toContain(`- \`domain/b.ts\` ${SAID}`);
    expect(listed(`## Every file\n- \`domain/b.ts\` : ${SAID}`)).toContain(`- \`domain/b.ts\` ${SAID}`);
  });

  it('writes behind a dash the limits of a file and the codes that its description lacks, and keeps the rest', () => {
    const source = [
      'const MAX_QUEUED = 1_000;',
      "throw new ErrandError('no_session', 'a');",
      "throw new ErrandError('claim_lost', 'b');",
      "throw new ErrandError('not_found', 'c');",
    ];
    write('packages/server/src/domain/b.ts', source.join('\n'));
    const line = `- \`domain/b.ts\` ${SAID}, \`no_session\``;

    const written = withFileIndex(`## Every file\n${line} — \`MAX_OLD\` 3`, root);

    expect(linesOf(written)).toContain(`${line} — \`MAX_QUEUED\` 1,000, refuses with \`claim_lost\``);
    expect(withFileIndex(written, root)).toBe(written);
  });

  it('reports files without a description, and with one that only repeats a name', () => {
    const text = `- \`before.ts\`\n## Every file\n- \`a.ts\` ${SAID}\n- \`b.ts\`\n- \`c.ts\` the file c`;

    expect(undescribed(text)).toEqual(['b.ts', 'c.ts']);
  });
});
