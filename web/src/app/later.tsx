import { useEffect } from 'react';
import { KeptJobs } from './kept-jobs.tsx';
import './later.css';
import { LiveMark } from './live-mark.tsx';
import { preloadPalette } from './over.tsx';

/** What comes once the page can be used: the stream of news, what closed pages left behind, and the palette. */
export function Later({ user_id }: { user_id: string }) {
  useEffect(() => void preloadPalette(), []);
  return (
    <>
      <LiveMark key={user_id} user_id={user_id} />
      <KeptJobs user_id={user_id} />
    </>
  );
}
