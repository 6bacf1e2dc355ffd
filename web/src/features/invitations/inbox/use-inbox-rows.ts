import { useCallback } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { invitationTarget } from '../../../data/actions/action-kinds.ts';
import { useActionRequests } from '../../../data/actions/actions.ts';
import { joinRows } from '../../../data/cache/join-rows.ts';
import type { BoxQuery } from '../../../data/cache/query-keys.ts';
import { shareHook } from '../../../ui/share-hook.tsx';
import { useUrlState } from '../../../ui/url-state.ts';
import { useBoxSide } from '../invitations.api.ts';
import { useHeldRows } from './held-rows.ts';
import { useInboxLayout } from './inbox-layout.ts';
import { inboxUrl } from './inbox-url.ts';
import { isNamesake } from './namesakes.ts';

/** Which invitations the URL asks for. */
export function useInboxQuery(): Omit<BoxQuery, 'side'> {
  const [{ box, q, resource }] = useUrlState(inboxUrl);
  return { box, q, ...(resource !== undefined && { resource }) };
}

/** Whether the answer to an invitation is pending. */
export function useIsAnswerPending(): (id: string) => boolean {
  const { pendingOf } = useActionRequests();
  return useCallback((id) => pendingOf(invitationTarget(id)) !== undefined, [pendingOf]);
}

/** The rows of the inbox: the open invitations, then the history. */
export const [InboxRowsProvider, useInboxRows] = shareHook(function useInboxRowsState() {
  const [{ selected }] = useUrlState(inboxUrl);
  const query = useInboxQuery();
  const openSide = useBoxSide({ ...query, side: 'new' });
  const answeredSide = useBoxSide({ ...query, side: 'answered' });
  const isListShown = useInboxLayout().isListShown(selected);
  const { open, history, held, onVisible } = useHeldRows({
    open: openSide,
    history: answeredSide,
    scope: [query.box, query.q, query.resource, isListShown, openSide.status.isChanging].join(' '),
  });
  const isPending = useIsAnswerPending();
  return {
    /** With the held rows, which keep their places. */
    open,
    history,
    rows: joinRows(open.rows, history.rows),
    /** The open invitations without the held rows. */
    openSide,
    held,
    /** Whether another device among the open invitations has the same name. */
    isNamesake: (item: InvitationItem) => isNamesake(openSide.pages, item),
    onOpenVisible: onVisible,
    /** It is not open any more, or soon will not be. */
    isBusy: (id: string) => isPending(id) || held.has(id),
    /** The invitation as it is now. A held row shows it as it was. */
    listedItem: (id: string): InvitationItem | undefined =>
      answeredSide.rows.get(id) ?? (held.has(id) ? undefined : open.rows.get(id)),
  };
});
