import { useCallback, useEffect, useRef, useState } from 'react';
import { copyText } from './copy.ts';

export type Copied = 'no' | 'yes' | 'failed';

/** Copies, and says for two seconds how it went. */
export function useCopy(): readonly [copied: Copied, copy: (text: string) => void] {
  const [copied, setCopied] = useState<Copied>('no');
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const copy = useCallback((text: string) => {
    void copyText(text).then((done) => {
      window.clearTimeout(timer.current);
      setCopied(done ? 'yes' : 'failed');
      timer.current = window.setTimeout(() => setCopied('no'), 2_000);
    });
  }, []);
  return [copied, copy];
}
