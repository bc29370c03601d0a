import { useLocation } from '@tanstack/react-router';
import { type Place, placeOf } from './places.ts';
import { useProject } from './project.ts';

/** The place of the page that is shown. */
export function usePlace(): Place | undefined {
  const project = useProject();
  const pathname = useLocation({ select: (location) => location.pathname });
  return placeOf(pathname, project?.key ?? null);
}
