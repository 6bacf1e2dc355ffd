import { useCallback, useMemo } from 'react';
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

/** The ids of the devices whose name another one of these has. */
function namesakesIn(items: readonly InvitationItem[]): ReadonlySet<string> {
  const first = new Map<string, string>();
  const found = new Set<string>();
  for (const { device, resource_id } of items) {
    if (!device) continue;
    const known = first.get(device.name);
    if (known === undefined) first.set(device.name, resource_id);
    else if (known !== resource_id) found.add(known).add(resource_id);
  }
  return found;
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
  const namesakes = useMemo(() => namesakesIn(openSide.rows.all()), [openSide.rows]);
  return {
    /** With the held rows, which keep their places. */
    open,
    history,
    rows: joinRows(open.rows, history.rows),
    /** The open invitations without the held rows. */
    openSide,
    held,
    namesakes,
    onOpenVisible: onVisible,
    /** It is not open any more, or soon will not be. */
    isBusy: (id: string) => isPending(id) || held.has(id),
    /** The invitation as it is now. A held row shows it as it was. */
    listedItem: (id: string): InvitationItem | undefined =>
      answeredSide.rows.get(id) ?? (held.has(id) ? undefined : open.rows.get(id)),
  };
});
