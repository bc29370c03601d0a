import type { ErrorComponentProps } from '@tanstack/react-router';
import { ErrorFrame } from '../ui/error-frame.tsx';

/**
 * In the place of a page that could not be drawn: Retry loads it again, as after an update. What surrounds it stays.
 */
export function PageError({ error }: ErrorComponentProps) {
  return (
    <ErrorFrame
      what="This page could not be shown"
      why="A part of it could not be loaded, or failed. The server may have been updated: Retry loads the page again."
      details={`${window.location.pathname}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`}
      onRetry={() => window.location.reload()}
    />
  );
}
