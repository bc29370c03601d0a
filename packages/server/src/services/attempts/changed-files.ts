import { z } from 'zod';
import { type AttemptRepo, ChangedFile } from '#domain/attempt';

const ChangedFiles = z.array(ChangedFile);

/** The files that an attempt has changed in a repository; empty before its first run has ended. */
export const changedIn = ({ files }: Pick<AttemptRepo, 'files'>): readonly ChangedFile[] =>
  files === null ? [] : ChangedFiles.parse(JSON.parse(files));
