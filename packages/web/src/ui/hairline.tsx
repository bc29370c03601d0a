import './skeleton.css';

/** Runs along the top of a view whose old data stays while it is loaded again. The view is positioned. */
export function Hairline() {
  return <i className="hairline" role="progressbar" aria-label="Loading again" />;
}
