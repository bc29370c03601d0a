import { Link, useNavigate } from '@tanstack/react-router';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { PLACES } from './places.ts';
import { useProject } from './project.ts';
import { switchTheme } from './theme.ts';
import { usePlace } from './use-place.ts';
import { useSignOut } from './use-sign-out.ts';
import { useWaiting } from './use-waiting.ts';
import './phone-tabs.css';

/** The pages with a tab of their own: more would be too narrow to touch. */
const TABS = new Set(['Inbox', 'Board', 'Runs', 'Agents']);

const PLACE_LIST = PLACES.flat();

/**
 * The way to the main pages on a phone, below (Inbox, Board, Runs, Agents); the others, light or dark and Sign out are
 * under More.
 */
export function PhoneTabs() {
  const navigate = useNavigate();
  const project = useProject();
  const waiting = useWaiting();
  const here = usePlace();
  const key = project?.key ?? null;
  const others = PLACE_LIST.filter(({ name }) => !TABS.has(name));
  const leave = useSignOut();
  return (
    <nav className="tabbar" aria-label="Main, below">
      {PLACE_LIST.filter(({ name }) => TABS.has(name)).map((place) => (
        <Link
          key={place.name}
          to={place.to(key)}
          activeOptions={{ exact: true }}
          aria-current={here === place ? 'page' : undefined}
        >
          <span>
            <Icon name={place.icon} />
            {waiting === 0 || place.counts !== 'waiting' ? null : <b>{waiting}</b>}
          </span>
          {place.name}
        </Link>
      ))}
      <Menu
        label="More"
        side="top"
        align="end"
        trigger={
          <button type="button" aria-current={here !== undefined && others.includes(here) ? 'page' : undefined}>
            <span>
              <Icon name="menu" />
            </span>
            More
          </button>
        }
        items={[
          ...others.map((place) => ({
            id: place.name,
            label: place.name,
            icon: <Icon name={place.icon} />,
            onSelect: () => void navigate({ to: place.to(key) }),
          })),
          { id: 'theme', label: 'Light or dark', icon: <Icon name="moon" />, apart: true, onSelect: switchTheme },
          { id: 'out', label: 'Sign out', onSelect: () => void leave() },
        ]}
      />
    </nav>
  );
}
