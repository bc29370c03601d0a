import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type CreateTaskBody, createTask } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { type FormEvent, useState } from 'react';
import { reasonOf } from '../api/client.ts';
import { meQuery } from '../api/me.ts';
import { useProject } from '../shell/project.ts';
import { namesIn, PRIORITY_WORDS, type PriorityLook } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Menu } from '../ui/menu.tsx';
import { PriorityIcon } from '../ui/priority-icon.tsx';
import { Textarea } from '../ui/textarea.tsx';
import { useToasts } from '../ui/toast.tsx';
import './new-task.css';

interface NewTaskProps {
  readonly onClose: () => void;
}

/** The dialog “New task”: title, description, project, priority. Afterwards a toast leads to the new task. */
export function NewTask({ onClose }: NewTaskProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toasts = useToasts();
  const { data: me } = useQuery(meQuery);
  const projects = me?.projects.filter(({ scopes }) => scopes.includes('board:write')) ?? [];
  const here = useProject();
  const [chosen, setChosen] = useState<string | null>(null);
  const [priority, setPriority] = useState<PriorityLook>('none');
  const [title, setTitle] = useState('');
  const [description, setDescription] = useState('');
  const project = projects.find(({ project_id }) => project_id === chosen) ?? here;

  const create = useMutation({
    mutationFn: (body: CreateTaskBody) => answerOf(createTask(project?.project_id ?? '', body)),
    onSuccess: ({ task_id, key }) => {
      void client.invalidateQueries({ queryKey: ['board'] });
      const open = () => void navigate({ to: `/p/${project?.key}`, search: { task: key ?? task_id } });
      toasts.show({ text: `Added ${key ?? 'the task'}`, action: { label: 'Show', onClick: open } });
      onClose();
    },
  });

  function send(event: FormEvent): void {
    event.preventDefault();
    const body = {
      title: title.trim(),
      priority,
      ...(description.trim() !== '' && { description: description.trim() }),
    };
    if (body.title !== '' && project !== null) create.mutate(body);
  }

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} title="New task" testId="new-task-dialog">
      <form className="new-task" onSubmit={send}>
        <Field label="Title" error={create.error === null ? undefined : reasonOf(create.error)}>
          <Input value={title} maxLength={255} required onChange={(event) => setTitle(event.target.value)} />
        </Field>
        <Field label="Description" hint="What and why. Agents read it as information.">
          <Textarea value={description} rows={5} onChange={(event) => setDescription(event.target.value)} />
        </Field>
        <div className="new-task-foot">
          <Menu
            label="Project"
            filter="Project…"
            items={projects.map(({ project_id, name }) => ({
              id: project_id,
              label: name,
              current: project_id === project?.project_id,
              onSelect: () => setChosen(project_id),
            }))}
            trigger={<Button kind="plain">{project?.name ?? 'Project'}</Button>}
          />
          <Menu
            label="Priority"
            numbered
            items={namesIn(PRIORITY_WORDS).map((each) => ({
              id: each,
              label: PRIORITY_WORDS[each],
              icon: <PriorityIcon priority={each} />,
              current: each === priority,
              onSelect: () => setPriority(each),
            }))}
            trigger={<Button kind="plain">{PRIORITY_WORDS[priority]}</Button>}
          />
          <span className="grow" />
          <Button kind="primary" type="submit" busy={create.isPending ? 'Adding…' : false}>
            Add task
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
