import { useEffect } from 'react';
import { WaitingNotices } from './waiting-notices.tsx';
import { useWaitingPlace } from './waiting-provider.tsx';
import { createWaiting } from './waiting.ts';
import type { Waiting } from './waiting.ts';

/** For what can make something wait. The first one to ask starts the engine and the region of its notices. */
export function useWaiting(): Waiting {
  const place = useWaitingPlace();
  const { waiting } = place.hold(() => ({ waiting: createWaiting(), Notices: WaitingNotices }));
  // the region is there before anything comes into it, so that it is read aloud
  useEffect(() => place.changed(), [place]);
  return waiting;
}
