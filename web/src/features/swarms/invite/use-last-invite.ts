import { useEffect, useEffectEvent, useState } from 'react';
import type { ActionOf } from '@swarmdeck/bff/contract';
import { useActionRequests, useShowsActions } from '../../../data/actions/actions.ts';
import { useActions } from '../../../data/actions/shown-actions.ts';
import { useSentLines } from './use-sent-lines.ts';

/**
 * The last action that invites, with its result. A result that was read is not shown at the next visit, and none is shown
 * instead of the `code` of a link.
 */
export function useLastInvite(code: string) {
  const { dismiss } = useActionRequests();
  const action = useActions().findLast((each): each is ActionOf<'invite'> => each.kind === 'invite');
  const sent = useSentLines(action);
  useShowsActions('invite');
  /** This visit has sent something. */
  const [hasSent, setHasSent] = useState(false);
  const next = () => {
    if (action?.state === 'ended') void dismiss(action.id);
  };
  const dismissRead = useEffectEvent(() => next());
  useEffect(() => () => dismissRead(), []);
  const isLinkHidden = code !== '' && sent !== undefined && !hasSent;
  useEffect(() => {
    if (isLinkHidden) dismissRead();
  }, [isLinkHidden]);
  return {
    action,
    sent,
    isRunning: action !== undefined && action.state !== 'ended',
    /** Removes the result. */
    next,
    noteSending: () => setHasSent(true),
  };
}
