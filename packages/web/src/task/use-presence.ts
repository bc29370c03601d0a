import { useQuery } from '@tanstack/react-query';
import { endPresence, type ShowPresenceAnswer, showPresence } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useEffect, useState } from 'react';
import { onChange } from '../api/live-store.ts';
import { meQuery } from '../api/me.ts';

export type Present = Pick<ShowPresenceAnswer['people'][number], 'user_id' | 'name' | 'editing'>;

/** The server forgets a person after 45 seconds. An idle page asks at most once in 30. */
const AGAIN_MS = 30_000;

const isWriting = (): boolean => document.activeElement?.matches('textarea') ?? false;

/** Who else looks at a task. They see this person too, while the page is in front. */
export function usePresence(task_id: string | undefined): readonly Present[] {
  const { data: me } = useQuery(meQuery);
  const [people, setPeople] = useState<readonly Present[]>([]);
  useEffect(() => {
    if (task_id === undefined) return;
    let isOpen = true;
    let editing = false;
    const show = (now: readonly Present[]) => (isOpen ? setPeople(now) : undefined);
    const look = () => {
      if (document.visibilityState === 'hidden') return;
      editing = isWriting();
      // Not to know who else looks keeps nobody from reading the task.
      answerOf(showPresence(task_id, { editing })).then(
        (answer) => show(answer.people),
        () => undefined,
      );
    };
    const noticeWriting = () => (isWriting() === editing ? undefined : look());
    look();
    const timer = setInterval(look, AGAIN_MS);
    document.addEventListener('visibilitychange', look);
    document.addEventListener('focusin', noticeWriting);
    document.addEventListener('focusout', noticeWriting);
    const stop = onChange(({ kind, entity_id, data }) => {
      if (kind !== 'presence.updated' || entity_id !== task_id) return;
      // The server writes this list into events of this kind, unless it is too long for one.
      if (Array.isArray(data?.people)) show(data.people);
      else look();
    });
    return () => {
      isOpen = false;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      document.removeEventListener('focusin', noticeWriting);
      document.removeEventListener('focusout', noticeWriting);
      stop();
      setPeople([]);
      answerOf(endPresence(task_id, {})).catch(() => undefined);
    };
  }, [task_id]);
  return people.filter(({ user_id }) => user_id !== me?.user.user_id);
}
