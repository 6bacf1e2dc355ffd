/** How much needs an answer: the badge of every page. Those that are being answered are not counted. */
import { queryOptions } from '@tanstack/react-query';
import type { InboxCount } from '@swarmdeck/bff/contract';
import { useActions } from '../../data/actions/shown-actions.ts';
import { read } from '../../data/client.ts';
import { pollUnlessLive } from '../../data/stream/poll-intervals.ts';
import { queryKeys, type Mailbox } from '../../data/cache/query-keys.ts';

export const inboxCountQuery = queryOptions({
  queryKey: queryKeys.invitations.count,
  queryFn: ({ signal }) => read('/api/inbox/count', {}, { signal }),
  refetchInterval: pollUnlessLive(20_000),
  refetchOnWindowFocus: 'always',
});

/** How many received invitations and offers need an answer. `answering`: those that are being answered. */
export const openOf = (counts: InboxCount | undefined, answering: number): number =>
  counts ? Math.max(0, counts.received.new - answering) + counts.offers : 0;

/** How many invitations of a box are being answered or withdrawn. */
export function useAnsweringCount(box: Mailbox): number {
  const open = useActions().filter(
    ({ kind, state }) => kind === (box === 'received' ? 'answer' : 'withdraw') && state !== 'ended',
  );
  return open.reduce((sum, { state, total, done }) => sum + (state === 'uploading' ? total : total - done), 0);
}
