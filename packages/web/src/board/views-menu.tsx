import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Dialog, DialogClose } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Menu } from '../ui/menu.tsx';
import { useToasts } from '../ui/toast.tsx';
import { isShown, type SavedView, viewsAt, withView } from './saved-views.ts';

const MAX_NAME = 40;
const FORM = 'save-view';

interface ViewsMenuProps {
  /** The page and its project: each has views of its own. */
  readonly place: string;
  /** What is shown now. */
  readonly search: SavedView['search'];
  readonly onShow: (search: SavedView['search']) => void;
}

/** The views that a person saved in this browser, to show again, and the way to save what they see now. */
export function ViewsMenu({ place, search, onShow }: ViewsMenuProps) {
  const toasts = useToasts();
  const store = viewsAt(place);
  const [views, setViews] = useState(store.read);
  const [name, setName] = useState<string | null>(null);
  const shown = views.find((view) => isShown(view, search));
  const keep = (next: readonly SavedView[], said: string) => {
    setViews(next);
    toasts.show(
      store.write(next) ? { text: said } : { kind: 'refused', text: 'This browser keeps nothing for pages.' },
    );
  };

  function save(event: FormEvent): void {
    event.preventDefault();
    const wanted = name?.trim() ?? '';
    if (wanted === '') return;
    setName(null);
    keep(withView(views, { name: wanted, search }), `Saved the view ${wanted}`);
  }

  return (
    <>
      <Menu
        label="Views"
        align="end"
        items={[
          ...views.map((view) => ({
            id: `view ${view.name}`,
            label: view.name,
            current: view === shown,
            onSelect: () => onShow(view.search),
          })),
          { id: 'save', label: 'Save this view…', apart: true, onSelect: () => setName('') },
          ...(shown === undefined
            ? []
            : [
                {
                  id: 'remove',
                  label: `Remove ${shown.name}`,
                  danger: true,
                  onSelect: () =>
                    keep(
                      views.filter((view) => view !== shown),
                      `Removed the view ${shown.name}`,
                    ),
                },
              ]),
        ]}
        trigger={
          <Chip opens on={shown !== undefined}>
            {shown?.name ?? 'Views'}
          </Chip>
        }
      />
      <Dialog
        open={name !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setName(null))}
        title="Save this view"
        foot={
          <>
            <DialogClose render={<Button>Cancel</Button>} />
            <Button kind="primary" type="submit" form={FORM}>
              Save the view
            </Button>
          </>
        }
      >
        <form id={FORM} onSubmit={save}>
          <Field label="Name" hint="It is kept in this browser. The address of the page shows the same to anyone.">
            <Input value={name ?? ''} required maxLength={MAX_NAME} onChange={({ target }) => setName(target.value)} />
          </Field>
        </form>
      </Dialog>
    </>
  );
}
