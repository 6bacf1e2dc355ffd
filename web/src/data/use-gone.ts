import { useState } from 'react';
import { isGone } from './problem.ts';

interface Read {
  /** The id of the record. */
  id: string;
  error: unknown;
  dataUpdatedAt: number;
}

/**
 * Whether the server has said that a record is gone, and has not sent it since. A later request that does not reach the server says
 * nothing about it.
 */
export function useGone({ id, error, dataUpdatedAt }: Read): boolean {
  const [gone, setGone] = useState<Omit<Read, 'error'> | null>(null);
  const isKnown = gone?.id === id && gone.dataUpdatedAt === dataUpdatedAt;
  if (isGone(error) && !isKnown) setGone({ id, dataUpdatedAt });
  return isKnown || isGone(error);
}
