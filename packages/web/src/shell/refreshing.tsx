import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Hairline } from '../ui/hairline.tsx';

/** A read that ends before this is not worth a sign. */
const SLOW_MS = 700;

/** Says that what a page shows is being read again, when that takes a while. */
export function Refreshing() {
  const isReading = useIsFetching({ predicate: ({ state }) => state.data !== undefined }) > 0;
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isReading) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isReading]);
  return isSlow ? <Hairline /> : null;
}
