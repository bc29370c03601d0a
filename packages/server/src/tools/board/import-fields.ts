import { z } from 'zod';
import { MAX_IMPORT_CHARACTERS, MAX_IMPORT_FILES } from '#domain/import/read-files';
import { boardFields } from './fields.ts';

/** What both tools of an import take. */
export const importInput = {
  project_id: boardFields.project_id,
  files: z
    .array(
      z.object({
        path: z.string().max(1_000).describe('Its name, which faults name; empty for a pasted text.'),
        text: z.string().max(MAX_IMPORT_CHARACTERS).describe('What is in it.'),
      }),
    )
    .min(1)
    .max(MAX_IMPORT_FILES)
    .describe('Files of Backlog.md, beads, task-master, GitHub issues, CSV, Markdown lists or an export of Errand.'),
};
