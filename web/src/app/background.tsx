import { useEffect } from 'react';
import { lazyPart } from '../ui/lazy.tsx';
import { useIsSettled } from '../ui/use-is-settled.ts';
import { preloadOverlays } from './overlays.tsx';

const ConnectionBadge = lazyPart(async () => (await import('./connection-badge.tsx')).ConnectionBadge);
const ResumeAllJobs = lazyPart(async () => (await import('./resume-jobs.tsx')).ResumeAllJobs);

/** The live stream, and the bulk jobs of closed tabs. They load after the first page, which they would slow down. */
export function Background({ user_id }: { user_id: string }) {
  const isSettled = useIsSettled();
  useEffect(() => {
    if (isSettled) preloadOverlays();
  }, [isSettled]);
  if (!isSettled) return null;
  return (
    <>
      <ConnectionBadge key={user_id} user_id={user_id} />
      <ResumeAllJobs />
    </>
  );
}
