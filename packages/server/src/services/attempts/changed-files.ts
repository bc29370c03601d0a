import { z } from 'zod';
import { type AttemptRepo, ChangedFile } from '#domain/attempt';

const ChangedFiles = z.array(ChangedFile);

/** What a repository of an attempt has changed; nothing before its first run has ended. */
export const changedIn = ({ files }: Pick<AttemptRepo, 'files'>): readonly ChangedFile[] =>
  files === null ? [] : ChangedFiles.parse(JSON.parse(files));
