import { planFault } from '#domain/task-plan';
import { looksLikeBacklog, readBacklog } from './backlog-md.ts';
import { looksLikeBeads, readBeads } from './beads.ts';
import { looksLikeCsv, readCsv } from './csv.ts';
import { looksLikeExport, readExport } from './errand-export.ts';
import { looksLikeIssues, readIssues } from './github-issues.ts';
import { type ImportedTask, type ImportFile, type ImportNote, joined, NOTHING, type Parsed } from './imported-task.ts';
import { readJson } from './json.ts';
import { readList } from './markdown-list.ts';
import { looksLikeTaskMaster, readTaskMaster } from './task-master.ts';

/** Tasks of one import: they are created in one transaction, for which other writes wait. */
export const MAX_IMPORTED_TASKS = 1_000;
export const MAX_IMPORT_FILES = 1_000;
export const MAX_IMPORT_CHARACTERS = 2_000_000;
/** Faults and notes that are told: the first ones say what is wrong with the others. */
const MAX_NOTES = 50;

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
  const parts = files.map((file, at): Parsed => {
    const read = readFile({ ...file, text: file.text.replace(/^\uFEFF/, '') });
    if (!('length' in read)) return { ...NOTHING, faults: [read] };
    formats.add(read[0]);
    return files.length === 1 ? read[1] : apart(read[1], at);
  });
  const plan = checked(joined(parts));
  const { tasks } = plan;
  if (tasks.length === 0 && plan.faults.length === 0) return whole('There is no task in it.');
  const faults =
    tasks.length > MAX_IMPORTED_TASKS
      ? [
          {
            file: '',
            line: null,
            text: `${tasks.length} tasks; an import creates at most ${MAX_IMPORTED_TASKS}. Import the files one after another, or split the file.`,
          },
        ]
      : plan.faults;
  return {
    tasks,
    formats: [...formats],
    faults: faults.slice(0, MAX_NOTES),
    left_out: plan.left_out.slice(0, MAX_NOTES),
  };
}
