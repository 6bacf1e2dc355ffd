import { useState } from 'react';
import { isGone } from './problem.ts';

/** The query of a record. */
interface Read {
  error: unknown;
  dataUpdatedAt: number;
}

/**
 * Whether the server has said that a record is gone, and has not sent it since. A later request that does not reach the server says
 * nothing about it.
 */
export function useGone(id: string, read: Read): boolean {
  const [gone, setGone] = useState<{ id: string; dataUpdatedAt: number } | null>(null);
  // A query renders a component for each of its properties that the component has ever read (TanStack Query tracks them).
  const isKnown = gone?.id === id && gone.dataUpdatedAt === read.dataUpdatedAt;
  if (isGone(read.error) && !isKnown) setGone({ id, dataUpdatedAt: read.dataUpdatedAt });
  return isKnown || isGone(read.error);
}
