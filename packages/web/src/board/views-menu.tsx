import { Suspense, useState } from 'react';
import { Chip } from '../ui/chip.tsx';
import { lazily } from '../ui/lazily.ts';
import { Menu } from '../ui/menu.tsx';
import { useToasts } from '../ui/toast.tsx';
import { isShown, type SavedView, viewsAt, withView } from './saved-views.ts';

const SaveView = lazily(() => import('./save-view.tsx').then(({ SaveView }) => SaveView));

interface ViewsMenuProps {
  /** The page and its project: each has views of its own. */
  readonly place: string;
  /** What is shown now. */
  readonly search: SavedView['search'];
  readonly onShow: (search: SavedView['search']) => void;
}

/**
 * The views that a person saved in this browser, to show again or remove, and the way to save what they see now. Where
 * this browser has no storage or refuses it, it says that nothing is kept (how many: `board/saved-views.ts`).
 */
export function ViewsMenu({ place, search, onShow }: ViewsMenuProps) {
  const toasts = useToasts();
  const store = viewsAt(place);
  const [views, setViews] = useState(store.read);
  const [isSaving, setSaving] = useState(false);
  const shown = views.find((view) => isShown(view, search));
  const keep = (next: readonly SavedView[], said: string) => {
    setViews(next);
    toasts.show(
      store.write(next) ? { text: said } : { kind: 'refused', text: 'This browser keeps nothing for pages.' },
    );
  };

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
          { id: 'save', label: 'Save this view…', apart: true, onSelect: () => setSaving(true) },
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
      {isSaving ? (
        <Suspense>
          <SaveView
            onSave={(name) => {
              setSaving(false);
              keep(withView(views, { name, search }), `Saved the view ${name}`);
            }}
            onClose={() => setSaving(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
