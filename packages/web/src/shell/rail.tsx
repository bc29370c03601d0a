import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { meQuery } from '../api/me.ts';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { PersonDot } from '../ui/person-dot.tsx';
import { AtWork } from './at-work.tsx';
import { BrandMark } from './brand-mark.tsx';
import { PLACES, type Place } from './places.ts';
import { useProject } from './project.ts';
import { switchTheme, useTheme } from './theme.ts';
import { usePlace } from './use-place.ts';
import { useSignOut } from './use-sign-out.ts';
import { useWaiting } from './use-waiting.ts';
import './rail.css';

function PlaceLink({ place, project }: { readonly place: Place; readonly project: string | null }) {
  const waiting = useWaiting();
  const here = usePlace();
  return (
    <Link
      to={place.to(project)}
      // Not those below it: the tasks of a project are no part of its board.
      activeOptions={{ exact: true }}
      aria-current={here === place ? 'page' : undefined}
    >
      <Icon name={place.icon} />
      <span>{place.name}</span>
      {waiting === 0 || place.counts !== 'waiting' ? null : <b className="count">{waiting}</b>}
    </Link>
  );
}

interface RailProps {
  readonly onShowKeys: () => void;
}

/**
 * The navigation at the left: pages, who works now, sign out, light or dark, keys and docs. The inbox has the number of what waits.
 */
export function Rail({ onShowKeys }: RailProps) {
  const { data: me } = useQuery(meQuery);
  const project = useProject();
  const theme = useTheme();
  const leave = useSignOut();
  return (
    <nav className="rail" aria-label="Main">
      <Link className="brand" to="/">
        <BrandMark />
        <b>Errand</b>
        <span className="ws">{me?.workspace.name}</span>
      </Link>
      {PLACES.map((group) => (
        <div className="rail-list" key={group[0]?.name}>
          {group.map((place) => (
            <PlaceLink key={place.name} place={place} project={project?.key ?? null} />
          ))}
        </div>
      ))}
      <AtWork />
      <div className="rail-foot">
        {me === undefined ? null : <PersonDot name={me.user.name} size={24} silent />}
        <Menu
          label="You"
          side="top"
          trigger={
            <button className="me" type="button">
              {me?.user.name}
            </button>
          }
          items={[{ id: 'out', label: 'Sign out', onSelect: () => void leave() }]}
        />
        <IconButton
          icon={theme === 'dark' ? 'sun' : 'moon'}
          label="Switch between light and dark"
          onClick={switchTheme}
        />
        <Menu
          label="Help"
          side="top"
          trigger={<IconButton icon="question" label="Help" />}
          items={[
            { id: 'keys', label: 'Keys for this view', keys: '?', onSelect: onShowKeys },
            { id: 'docs', label: 'Docs', onSelect: () => window.open('/docs', '_blank', 'noopener') },
          ]}
        />
      </div>
    </nav>
  );
}
