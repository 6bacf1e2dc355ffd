import { useCallback, useMemo } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { invitationTarget } from '../../../data/actions/action-kinds.ts';
import { useActionRequests } from '../../../data/actions/actions.ts';
import { joinRows } from '../../../data/cache/join-rows.ts';
import type { BoxQuery } from '../../../data/cache/query-keys.ts';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { useBoxSide } from '../invitations.api.ts';
import { useHeldRows } from './held-rows.ts';
import type { InboxLayout } from './inbox-layout.ts';
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
export function useInboxRows(layout: Pick<InboxLayout, 'isListShown'>) {
  const [{ selected }] = useUrlState(inboxUrl);
  const query = useInboxQuery();
  const openSide = useBoxSide({ ...query, side: 'new' });
  const answeredSide = useBoxSide({ ...query, side: 'answered' });
  const isListShown = layout.isListShown(selected);
  const { open, history, held, onVisible } = useHeldRows({
    open: openSide,
    history: answeredSide,
    scope: [query.box, query.q, query.resource, isListShown, openSide.status.isChanging].join(' '),
  });
  const isPending = useIsAnswerPending();
  const { pages } = openSide;
  return {
    /** With the held rows, which keep their places. */
    open,
    history,
    rows: useMemo(() => joinRows(open.rows, history.rows), [open.rows, history.rows]),
    /** The open invitations without the held rows. */
    openSide,
    held,
    /** Whether another device among the open invitations has the same name. */
    isNamesake: useCallback((item: InvitationItem) => isNamesake(pages, item), [pages]),
    ...useStableFunctions({
      onOpenVisible: onVisible,
      /** It is not open any more, or soon will not be. */
      isBusy: (id: string) => isPending(id) || held.has(id),
    }),
    /** The invitation as it is now. A held row shows it as it was. */
    listedItem: useCallback(
      (id: string): InvitationItem | undefined =>
        answeredSide.rows.get(id) ?? (held.has(id) ? undefined : open.rows.get(id)),
      [answeredSide.rows, held, open.rows],
    ),
  };
}

export type InboxRows = ReturnType<typeof useInboxRows>;
