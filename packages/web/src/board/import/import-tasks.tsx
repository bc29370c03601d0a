import { useMutation, useQueryClient } from '@tanstack/react-query';
import { importTasks, readImport } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useRef, useState } from 'react';
import { reasonOf } from '../../api/client.ts';
import { plural } from '../../text/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { type ImportText, textsOf } from './chosen-files.ts';
import { ImportPlan } from './import-plan.tsx';
import './import.css';

const KINDS = '.md,.markdown,.txt,.csv,.tsv,.json,.jsonl';
const EXAMPLE = '- [ ] Paint the shop\n  - [x] Buy paint\n- [ ] Open the doors';

interface ImportTasksProps {
  readonly project: { readonly project_id: string; readonly name: string };
  readonly onClose: () => void;
}

/** The dialog “Import tasks”: a text or files, then the table of what will happen, then the tasks, all or none. */
export function ImportTasks({ project: { project_id, name }, onClose }: ImportTasksProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const picker = useRef<HTMLInputElement>(null);

  const read = useMutation({
    mutationFn: async (files: readonly ImportText[]) => ({
      files,
      plan: await answerOf(readImport(project_id, { files: [...files] })),
    }),
  });
  const create = useMutation({
    mutationFn: async ({ files, plan }: NonNullable<typeof read.data>) =>
      answerOf(importTasks(project_id, { files: [...files] }, { idempotencyKey: plan.key })),
    onSuccess: ({ tasks }) => {
      toasts.show({ text: `Imported ${plural(tasks.length, 'task')} to ${name}` });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['board'] }),
  });

  async function choose(files: FileList | null): Promise<void> {
    if (files === null || files.length === 0) return;
    const texts = await textsOf([...files]);
    if (typeof texts === 'string') setProblem(texts);
    else read.mutate(texts);
  }

  function look(): void {
    setProblem(null);
    if (typed.trim() === '') setProblem('Paste a list here, or choose files.');
    else read.mutate([{ path: '', text: typed }]);
  }

  const { data: found, reset } = read;
  const said = problem ?? (read.error === null ? undefined : reasonOf(read.error));
  const foot =
    found === undefined ? (
      <>
        <Button icon="file" onClick={() => picker.current?.click()}>
          Choose files
        </Button>
        <Button kind="primary" busy={read.isPending ? 'Reading…' : false} onClick={look}>
          Show what will happen
        </Button>
      </>
    ) : (
      <>
        <Button onClick={reset}>Back</Button>
        {found.plan.faults.length > 0 || found.plan.imported_at !== null ? null : (
          <Button
            kind="primary"
            icon="import"
            busy={create.isPending ? 'Importing…' : false}
            onClick={() => create.mutate(found)}
          >
            Import {plural(found.plan.tasks.length, 'task')}
          </Button>
        )}
      </>
    );

  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Import tasks"
      head={<span className="quiet ell">{name}</span>}
      testId="import-tasks"
      foot={foot}
    >
      {found === undefined ? (
        <Field
          label="Tasks"
          hint="Backlog.md, beads, task-master, GitHub issues as JSON, CSV or a Markdown list. Nothing is created yet."
          error={said}
        >
          <Textarea
            className="import-text"
            value={typed}
            rows={12}
            spellCheck={false}
            placeholder={EXAMPLE}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
      ) : (
        <ImportPlan plan={found.plan} />
      )}
      {create.error === null ? null : (
        <p className="hint bad" role="alert">
          {reasonOf(create.error)}
        </p>
      )}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={KINDS}
        aria-label="Files to import"
        onChange={({ target }) => {
          void choose(target.files);
          // The same file, changed meanwhile, can be chosen again.
          target.value = '';
        }}
      />
    </Dialog>
  );
}
