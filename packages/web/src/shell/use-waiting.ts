import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { type Inbox, inboxCountQuery, total } from '../api/inbox.ts';
import { counted } from './counted-title.ts';
import { news, notify } from './notify.ts';

/** How much needs a person. */
export function useWaiting(): number {
  const { data } = useQuery(inboxCountQuery);
  return data === undefined ? 0 : total(data.counts);
}

/** Keeps the number before the title of every page: pages set their titles without it. */
function keepCounted(count: number): () => void {
  const apply = (): void => {
    const wanted = counted(document.title, count);
    if (wanted !== document.title) document.title = wanted;
  };
  apply();
  const observer = new MutationObserver(apply);
  const title = document.querySelector('title');
  if (title !== null) observer.observe(title, { childList: true, characterData: true, subtree: true });
  return () => observer.disconnect();
}

/** Shows in the title, in the icon of the tab and, where wanted, in the system that something needs a person. */
export function useWaitingSigns(): void {
  const { data } = useQuery(inboxCountQuery);
  const navigate = useNavigate();
  const before = useRef<Inbox | undefined>(undefined);
  const count = useWaiting();

  useEffect(() => keepCounted(count), [count]);
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon !== null) icon.href = count > 0 ? '/assets/icon-waiting.svg' : '/assets/icon.svg';
  }, [count]);
  useEffect(() => {
    if (data === undefined) return;
    const row = news(before.current, data);
    before.current = data;
    if (row !== null) notify(row, () => void navigate({ to: '/inbox' }));
  }, [data, navigate]);
}
