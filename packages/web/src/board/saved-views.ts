/** A view that a person has named: the filters, order and groups of a page, as the address has them. */
export interface SavedView {
  readonly name: string;
  readonly search: Readonly<Record<string, string | true>>;
}

/** More would be a list to search in. */
const MAX_VIEWS = 20;

const isText = (value: unknown): value is string => typeof value === 'string';

function isView(value: unknown): value is SavedView {
  const { name, search }: { readonly name?: unknown; readonly search?: unknown } = Object(value);
  return isText(name) && typeof search === 'object' && search !== null;
}

/** The views in a text that this browser kept. A text of something else holds none. */
export function viewsIn(text: string | null): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(kept) ? kept.filter(isView).slice(0, MAX_VIEWS) : [];
  } catch {
    return [];
  }
}

/** The views with one more. One of the same name is replaced; beyond the limit the oldest goes. */
export const withView = (views: readonly SavedView[], view: SavedView): readonly SavedView[] =>
  [...views.filter(({ name }) => name !== view.name), view].slice(-MAX_VIEWS);

const textOf = (search: object): string =>
  JSON.stringify(Object.entries(search).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Whether a page shows this view now. */
export const isShown = ({ search }: SavedView, now: object): boolean => textOf(search) === textOf(now);

/**
 * Where this browser keeps the views of a page. Without storage there are none; what a person reads then:
 * `board/views-menu.tsx`.
 */
export function viewsAt(place: string) {
  const key = `views ${place}`;
  return {
    read: (): readonly SavedView[] => {
      try {
        return viewsIn(localStorage.getItem(key));
      } catch {
        return [];
      }
    },
    /** False when this browser keeps nothing. */
    write: (views: readonly SavedView[]): boolean => {
      try {
        localStorage.setItem(key, JSON.stringify(views));
        return true;
      } catch {
        return false;
      }
    },
  };
}
