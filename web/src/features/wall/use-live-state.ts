import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isAway } from '../../api/problem.ts';
import { useConnectionStatus } from '../../api/connection-status.ts';
import { liveStateOf } from './live-state.ts';
import type { LiveState } from './live-state.ts';

/** The state of the query of the counts. */
export type Answered = Pick<UseQueryResult, 'dataUpdatedAt' | 'error'>;

/** Whether the wall is up to date, checked every second. */
export function useLiveState({ dataUpdatedAt, error }: Answered): LiveState {
  const liveness = useConnectionStatus();
  const { now, visibleSince } = useVisibleSince();
  return liveStateOf({ ...liveness, answeredAt: dataUpdatedAt, visibleSince, away: isAway(error), now });
}

/** The local time, and the time since when the page is visible. */
function useVisibleSince(): { now: number; visibleSince: number } {
  const [seen, setSeen] = useState(() => ({ now: Date.now(), visibleSince: Date.now() }));
  useEffect(() => {
    const isSeen = () => document.visibilityState === 'visible';
    const tick = () => isSeen() && setSeen(({ visibleSince }) => ({ visibleSince, now: Date.now() }));
    const appear = () => isSeen() && setSeen({ now: Date.now(), visibleSince: Date.now() });
    const timer = setInterval(tick, 1000);
    document.addEventListener('visibilitychange', appear);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', appear);
    };
  }, []);
  return seen;
}
