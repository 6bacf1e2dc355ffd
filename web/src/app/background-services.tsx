import { useEffect } from 'react';
import './background-services.css';
import { LiveMark } from './live-mark.tsx';
import { preloadPalette } from './overlays.tsx';
import { ResumeAllJobs } from './resume-jobs.tsx';

/** Loads after the first page can be used: the live stream, the bulk jobs of closed tabs, and the palette. */
export function Later({ user_id }: { user_id: string }) {
  useEffect(() => void preloadPalette(), []);
  return (
    <>
      <LiveMark key={user_id} user_id={user_id} />
      <ResumeAllJobs />
    </>
  );
}
