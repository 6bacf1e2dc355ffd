import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberRole } from '@swarmdeck/bff/contract';
import { read } from '../data/client.ts';
import { queryString } from '../data/filter-params.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import { isDenied } from '../data/problem.ts';
import { formatInterval } from '../text/formats.ts';
import { t } from '../text/text.ts';
import { Bdi, Rich } from '../ui/texts/rich.tsx';

interface FlowProps {
  swarm: { id: string; name: string };
  role: MemberRole;
  /** The device that would join. Without it: those that the user chooses. */
  resource_id?: string;
  /** The code of the link by which a user joins who may not see the swarm yet. */
  code?: string;
}

export const flowQuery = (swarm_id: string, query: Record<string, string | undefined>) =>
  queryOptions({
    queryKey: queryKeys.swarm.flow(swarm_id, query),
    queryFn: ({ signal }) => read('/api/swarms/:id/flow', { id: swarm_id }, { query: queryString(query), signal }),
  });

/**
 * How queries of a consent are read: when it is opened, when the page is shown again, and while it is shown. The stream has no events of
 * a swarm that the user is not in.
 */
export const consentReads = {
  staleTime: 0,
  refetchOnWindowFocus: 'always',
  refetchInterval: ({ state }: { state: { error: unknown } }) => !isDenied(state.error) && 5000,
} as const;

/** Lines of a consent: who would receive what a device sends, what it would receive, and how often the swarm expects it to be heard. */
export function Flow({ swarm, role, resource_id, code }: FlowProps) {
  const { data, dataUpdatedAt, isError } = useQuery({
    ...flowQuery(swarm.id, { resource_id, code }),
    ...consentReads,
  });
  const [openedAt] = useState(() => Date.now());
  // What was read before may not hold any more.
  const flow = dataUpdatedAt >= openedAt ? data : undefined;
  if (!flow) return <li>{isError ? t.messages.flow.failed : t.messages.flow.loading}</li>;
  const { producers, consumers, sent, expected_every } = flow;
  const isOne = resource_id !== undefined;
  return (
    <>
      {role !== 'consumer' && (
        <li>
          <Rich text={t.messages.flow.sends(consumers, isOne)} swarm={<Bdi>{swarm.name}</Bdi>} />
          {sent > 0 && ` ${t.messages.flow.sent(sent)}`}
        </li>
      )}
      {role !== 'producer' && <li>{t.messages.flow.receives(producers, isOne)}</li>}
      {expected_every !== undefined && <li>{t.messages.flow.expected(formatInterval(expected_every), isOne)}</li>}
    </>
  );
}
