/** The mark of Errand: the completed run. */
export function BrandMark() {
  return (
    <svg className="mark" viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="4.5" fill="currentColor" />
      <path
        d="m4.3 8.3 2.5 2.5 4.9-5.4"
        fill="none"
        stroke="var(--mark-ink)"
        strokeWidth="1.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
