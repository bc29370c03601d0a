import { MAX_BLOCKERS, planFault } from '#domain/task-plan';
import { looksLikeBacklog, readBacklog } from './backlog-md.ts';
import { looksLikeBeads, readBeads } from './beads.ts';
import { looksLikeCsv, readCsv } from './csv.ts';
import { looksLikeExport, readExport } from './errand-export.ts';
import { looksLikeIssues, readIssues } from './github-issues.ts';
import {
  firstNotes,
  type ImportedTask,
  type ImportFile,
  type ImportNote,
  joined,
  MAX_IMPORTED_TASKS,
  NOTHING,
  type Parsed,
} from './imported-task.ts';
import { readJson } from './json.ts';
import { readList } from './markdown-list.ts';
import { looksLikeTaskMaster, readTaskMaster } from './task-master.ts';

export const MAX_IMPORT_FILES = 1_000;
export const MAX_IMPORT_CHARACTERS = 2_000_000;
/** A name that is longer is none: tasks that name each other would repeat it, up to a file's length each. */
const MAX_REF_CHARACTERS = 200;

/** The formats that an import reads, as people name them. */
export const FORMATS = ['Errand', 'GitHub issues', 'task-master', 'beads', 'Backlog.md', 'CSV', 'list'] as const;
export type ImportFormat = (typeof FORMATS)[number];

export interface ImportPlan extends Parsed {
  /** The formats of the files, each once. */
  readonly formats: readonly ImportFormat[];
}

type Read = readonly [ImportFormat, Parsed];

function readValue(file: ImportFile): Read | ImportNote {
  const read = readJson({ file: file.path, line: 1, text: file.text });
  if ('fault' in read) return read.fault;
  const { value } = read;
  if (looksLikeExport(value)) return ['Errand', readExport(file, value)];
  if (looksLikeIssues(value)) return ['GitHub issues', readIssues(file, value)];
  if (looksLikeTaskMaster(value)) return ['task-master', readTaskMaster(file, value)];
  const text = 'This JSON is none of these: an export of Errand, issues of GitHub, tasks.json of task-master.';
  return { file: file.path, line: 1, text };
}

/** Reads a file by what is in it: a pasted text has no name, and many a name says nothing. */
function readFile(file: ImportFile): Read | ImportNote {
  const begin = file.text.trimStart();
  if (looksLikeBeads(file.text)) return ['beads', readBeads(file)];
  if (/^[[{]/.test(begin) && !/^\[[ xX]?\]/.test(begin)) return readValue(file);
  if (looksLikeBacklog(file.text)) return ['Backlog.md', readBacklog(file)];
  if (/\.[ct]sv$/i.test(file.path) || looksLikeCsv(file.text)) return ['CSV', readCsv(file)];
  return ['list', readList(file)];
}

const sized = (files: readonly ImportFile[]): string | null => {
  if (files.length > MAX_IMPORT_FILES) return `${files.length} files; an import reads at most ${MAX_IMPORT_FILES}.`;
  const size = files.reduce((sum, { text }) => sum + text.length, 0);
  return size > MAX_IMPORT_CHARACTERS ? `${size} characters; an import reads at most ${MAX_IMPORT_CHARACTERS}.` : null;
};

/** What no task may be. */
function unfit({ ref, title, blocked_by, file, line }: ImportedTask): readonly ImportNote[] {
  const told = (text: string): ImportNote => ({ file, line, text });
  if (ref.length > MAX_REF_CHARACTERS) {
    return [told(`A name of ${ref.length} characters; a task is named in at most ${MAX_REF_CHARACTERS}.`)];
  }
  if (title === '') return [told(`${ref} has no title.`)];
  const { size } = new Set(blocked_by);
  if (size <= MAX_BLOCKERS) return [];
  return [told(`${ref} waits for ${size} tasks, and may wait for at most ${MAX_BLOCKERS}.`)];
}

/** Blockers and parents that are in no file are left out; two tasks of one name, and circles, are faults. */
function checked({ tasks, faults, left_out }: Parsed): Parsed {
  const refs = new Set(tasks.map(({ ref }) => ref));
  const lost: ImportNote[] = [];
  const known = tasks.map((task): ImportedTask => {
    const { file, line, parent_ref } = task;
    const missing = [...task.blocked_by, ...(parent_ref === null ? [] : [parent_ref])].filter((ref) => !refs.has(ref));
    for (const ref of missing) lost.push({ file, line, text: `${task.ref} names ${ref}, which is in no file.` });
    return {
      ...task,
      parent_ref: parent_ref !== null && refs.has(parent_ref) ? parent_ref : null,
      blocked_by: [...new Set(task.blocked_by)].filter((ref) => refs.has(ref)),
    };
  });
  const fault = planFault(known.map((task) => ({ ...task, parent_ref: task.parent_ref ?? undefined })));
  const at = known[Number(/^tasks\.(\d+)\./.exec(fault?.field ?? '')?.[1] ?? -1)];
  return {
    tasks: known,
    faults: [
      ...faults,
      ...(fault === null ? [] : [{ file: at?.file ?? '', line: at?.line ?? null, text: `${fault.problem}.` }]),
    ],
    left_out: [...left_out, ...lost],
  };
}

/** Names lines of several lists apart: each of them counts from 1. */
const apart = (parsed: Parsed, at: number): Parsed => {
  const named = (ref: string): string => (/^line \d+$/.test(ref) ? `file ${at + 1}, ${ref}` : ref);
  return {
    ...parsed,
    tasks: parsed.tasks.map((task) => ({
      ...task,
      ref: named(task.ref),
      parent_ref: task.parent_ref === null ? null : named(task.parent_ref),
    })),
  };
};

/** Reads the tasks of all files. What cannot be read is a fault, and with a fault nothing is to be imported. */
export function readImport(files: readonly ImportFile[]): ImportPlan {
  const whole = (text: string): ImportPlan => ({ ...NOTHING, formats: [], faults: [{ file: '', line: null, text }] });
  const size = sized(files);
  if (size !== null) return whole(size);
  const formats = new Set<ImportFormat>();
  const parts: Parsed[] = [];
  let count = 0;
  for (const [at, file] of files.entries()) {
    const read = readFile({ ...file, text: file.text.replace(/^\uFEFF/, '') });
    if ('length' in read) {
      formats.add(read[0]);
      parts.push(files.length === 1 ? read[1] : apart(read[1], at));
      count += read[1].tasks.length;
    } else parts.push({ ...NOTHING, faults: [read] });
    if (count > MAX_IMPORTED_TASKS) {
      const most = `more than ${MAX_IMPORTED_TASKS} tasks, and an import creates at most that many`;
      return whole(`There are ${most}. Import the files one after another, or split the file.`);
    }
  }
  const all = joined(parts);
  const wrong = all.tasks.flatMap(unfit);
  if (wrong.length > 0) return { ...NOTHING, formats: [...formats], faults: firstNotes([...all.faults, ...wrong]) };
  const plan = checked(all);
  if (plan.tasks.length === 0 && plan.faults.length === 0) return whole('There is no task in it.');
  return {
    tasks: plan.tasks,
    formats: [...formats],
    faults: firstNotes(plan.faults),
    left_out: firstNotes(plan.left_out),
  };
}
