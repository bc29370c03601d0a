import { Link } from '@tanstack/react-router';
import { Icon } from '../ui/icon.tsx';
import { PLACES } from './places.ts';
import { useProject } from './project.ts';
import { useWaiting } from './use-waiting.ts';
import './phone-tabs.css';

/** More tabs than this are too narrow to touch. */
const MAX_TABS = 5;

/** The way to the main pages on a phone, below. */
export function PhoneTabs() {
  const project = useProject();
  const waiting = useWaiting();
  return (
    <nav className="tabbar" aria-label="Main, below">
      {PLACES.flat()
        .slice(0, MAX_TABS)
        .map((place) => (
          <Link
            key={place.name}
            to={place.to(project?.key ?? null)}
            activeOptions={{ exact: true }}
            activeProps={{ 'aria-current': 'page' }}
          >
            <span>
              <Icon name={place.icon} />
              {waiting === 0 || place.counts !== 'waiting' ? null : <b>{waiting}</b>}
            </span>
            {place.name}
          </Link>
        ))}
    </nav>
  );
}
