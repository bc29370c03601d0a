import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Icon } from '../ui/icon.tsx';

/** The place in the top bar where a page puts the way back. */
export const CRUMBS = 'crumbs';

interface CrumbsProps {
  /** The address of the page above. */
  readonly to: string;
  readonly place: ReactNode;
  /** What is shown here, as WEB-12. */
  readonly here: string;
}

/** The way back in the top bar, for a page below another one. */
export function Crumbs({ to, place, here }: CrumbsProps) {
  const bar = document.getElementById(CRUMBS);
  if (bar === null) return null;
  return createPortal(
    <nav className="crumbs" aria-label="Way back">
      <Icon name="right" />
      <Link to={to}>{place}</Link>
      <Icon name="right" />
      <b aria-current="page">{here}</b>
    </nav>,
    bar,
  );
}
