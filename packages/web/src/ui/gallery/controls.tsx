import { useState } from 'react';
import { namesIn } from '../../text/words.ts';
import { Button } from '../button.tsx';
import { Checkbox } from '../checkbox.tsx';
import { Chip } from '../chip.tsx';
import { Choice } from '../choice.tsx';
import { Dialog, DialogClose } from '../dialog.tsx';
import { Field } from '../field.tsx';
import { Icon } from '../icon.tsx';
import { IconButton } from '../icon-button.tsx';
import { ICONS } from '../icons.ts';
import { Input } from '../input.tsx';
import { Kbd } from '../kbd.tsx';
import { Menu, type MenuItem } from '../menu.tsx';
import { Popover } from '../popover.tsx';
import { Sheet } from '../sheet.tsx';
import { StatusIcon } from '../status-icon.tsx';
import { Tabs } from '../tabs.tsx';
import { Textarea } from '../textarea.tsx';
import { KitRow, Spec } from './spec.tsx';

const TO = [
  { value: 'comment', label: 'Comment' },
  { value: 'send', label: 'Send to agent' },
  { value: 'queue', label: 'Queue' },
] as const;

export function Controls() {
  const [to, setTo] = useState<(typeof TO)[number]['value']>('send');
  const [on, setOn] = useState(true);
  return (
    <>
      <Spec wide={6} title="Buttons" note="One primary a view. Focus is a 2 px ring, 2 px away.">
        <KitRow name="Primary">
          <Button kind="primary" keys="a">
            Approve
          </Button>
          <Button kind="primary" disabled>
            Off
          </Button>
        </KitRow>
        <KitRow name="Normal">
          <Button icon="retry">Retry</Button>
          <Button disabled>Off</Button>
          <Button icon="send" busy="Sending…">
            Send review
          </Button>
        </KitRow>
        <KitRow name="Plain">
          <Button kind="plain" icon="copy">
            Copy prompt
          </Button>
        </KitRow>
        <KitRow name="Danger">
          <Button kind="danger" icon="stop">
            Stop
          </Button>
          <Button kind="danger-solid">Revoke now</Button>
        </KitRow>
        <KitRow name="Small, icon">
          <Button size="small" keys="d">
            Deny
          </Button>
          <IconButton icon="link" label="Copy link" />
          <IconButton icon="more" label="More" />
          <IconButton icon="copy" label="Copy" size="tiny" />
        </KitRow>
      </Spec>
      <Spec wide={6} title="Inputs" note="Label above, hint below, error with icon and words.">
        <KitRow name="Field">
          <Input aria-label="Name" defaultValue="atlas" />
        </KitRow>
        <KitRow name="Wrong">
          <Field label="Name" error="There is an atlas already. Choose another name.">
            <Input defaultValue="atlas" />
          </Field>
        </KitRow>
        <KitRow name="Hint">
          <Field label="Note" hint="Markdown works.">
            <Textarea placeholder="What should change" />
          </Field>
        </KitRow>
        <KitRow name="Choice">
          <Choice label="Where to" value={to} options={TO} onChange={setTo} />
        </KitRow>
        <KitRow name="Chips">
          <Chip opens>Label</Chip>
          <Chip on={on} onClick={() => setOn(!on)}>
            payments
          </Chip>
          <Chip you icon="hand" count={2}>
            Needs you
          </Chip>
        </KitRow>
        <KitRow name="Boxes">
          <Checkbox checked={false} label="off" onChange={() => {}} />
          <Checkbox checked label="on" onChange={() => {}} />
          <Checkbox checked="some" label="some" onChange={() => {}} />
          <Kbd keys="mod+k" />
          <Kbd keys="enter" />
          <Kbd keys="esc" />
        </KitRow>
      </Spec>
    </>
  );
}

const MOVES: readonly MenuItem[] = [
  { id: 'todo', label: 'Todo', icon: <StatusIcon of="task" status="todo" />, onSelect: () => {} },
  {
    id: 'progress',
    label: 'In progress',
    current: true,
    icon: <StatusIcon of="task" status="progress" />,
    onSelect: () => {},
  },
  { id: 'review', label: 'Review', icon: <StatusIcon of="task" status="review" />, onSelect: () => {} },
  {
    id: 'done',
    label: 'Done',
    refused: '3 criteria are open',
    icon: <StatusIcon of="task" status="done" />,
    onSelect: () => {},
  },
  { id: 'cancelled', label: 'Cancelled', icon: <StatusIcon of="task" status="cancelled" />, onSelect: () => {} },
  { id: 'hand', label: 'Hand over to…', keys: 'h', apart: true, icon: <Icon name="people" />, onSelect: () => {} },
];

export function Overlays() {
  const [dialog, setDialog] = useState(false);
  const [sheet, setSheet] = useState(false);
  const [tab, setTab] = useState<'a' | 'b'>('a');
  const [chosen, setChosen] = useState('nothing');
  const items = MOVES.map((item) => ({ ...item, onSelect: () => setChosen(item.id) }));
  return (
    <Spec wide={6} title="Menu, dialog, popover, tabs" note="What is refused is shown, with the reason.">
      <KitRow name="Menu">
        <Menu label="Move to state" filter="Move to…" keys="m" items={items} trigger={<Button>Move</Button>} />
        <Menu label="More" items={items} trigger={<Button>Without filter</Button>} />
        <output>{chosen}</output>
      </KitRow>
      <KitRow name="Over">
        <Popover label="Display" trigger={<Button icon="display">Display</Button>}>
          <p>Density and theme</p>
        </Popover>
        <Button onClick={() => setDialog(true)}>Dialog</Button>
        <Button onClick={() => setSheet(true)}>Sheet</Button>
        <Dialog
          open={dialog}
          onOpenChange={setDialog}
          title="New task"
          foot={
            <>
              <DialogClose render={<Button>Cancel</Button>} />
              <Button kind="primary">Create</Button>
            </>
          }
        >
          <Field label="Title">
            <Input />
          </Field>
        </Dialog>
        <Sheet open={sheet} onOpenChange={setSheet} title="Run the test suite">
          <p>12:41</p>
        </Sheet>
      </KitRow>
      <Tabs
        label="Parts"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'a', label: 'Timeline', count: 10 },
          { value: 'b', label: 'Feed' },
        ]}
      >
        <p>{tab === 'a' ? 'The timeline' : 'The feed'}</p>
      </Tabs>
    </Spec>
  );
}

export function Icons() {
  return (
    <Spec wide={6} title="Icons" note="16 px, 1.5 px line, round ends.">
      <div className="iconwall">
        {namesIn(ICONS).map((name) => (
          <span key={name} title={name}>
            <Icon name={name} />
          </span>
        ))}
      </div>
    </Spec>
  );
}
