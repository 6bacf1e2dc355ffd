import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ActionOf } from '@swarmdeck/bff/contract';
import { actionResultsQuery } from '../../../data/actions/action-history.ts';
import type { SentLine } from './remaining-lines.ts';

/** The invitations of an action with their results. Undefined until it has ended and they are known. */
export function useSentLines(action: ActionOf<'invite'> | undefined): readonly SentLine[] | undefined {
  const { state, items, results, failed = 0, done = 0 } = action ?? {};
  const isKnown = items !== undefined && (failed === 0 || results !== undefined);
  const { data } = useQuery({ ...actionResultsQuery(action?.id ?? ''), enabled: state === 'ended' && !isKnown });
  return useMemo(() => {
    if (state !== 'ended') return undefined;
    if (isKnown) return items.map((item, at) => ({ ...item, result: at < done ? (results?.[at] ?? null) : undefined }));
    return data?.map(({ item, result }) => ({ ...item, result }) as SentLine);
  }, [state, isKnown, items, results, done, data]);
}
