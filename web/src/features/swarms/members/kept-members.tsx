import { useEffect } from 'react';
import { useAddQueue } from './use-add-queue.tsx';

/** Continues to add devices after their tab was closed. */
export function KeptMembers({ user_id }: { user_id: string }) {
  const { queue, kept } = useAddQueue(user_id);
  useEffect(() => kept.watch(queue.goOn), [queue, kept]);
  return null;
}
