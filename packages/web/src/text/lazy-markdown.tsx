import { Suspense } from 'react';
import { lazily } from '../ui/lazily.ts';

const Markdown = lazily(() => import('./markdown.tsx').then(({ Markdown }) => Markdown));

interface LazyMarkdownProps {
  readonly source: string;
}

/** Markdown whose reader is loaded with the first text. Until then the text is shown as it was written. */
export function LazyMarkdown({ source }: LazyMarkdownProps) {
  return (
    <Suspense fallback={<div className="prose prose-raw">{source}</div>}>
      <Markdown source={source} />
    </Suspense>
  );
}
