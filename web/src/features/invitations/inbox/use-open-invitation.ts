import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { invitationTarget } from '../../../data/actions/action-kinds.ts';
import { usePending } from '../../../data/actions/shown-actions.ts';
import { useGone } from '../../../data/use-gone.ts';
import { invitationQuery } from '../../../shared/actions/answers.tsx';
import { consentReads } from '../../../shared/flow.tsx';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { inboxUrl } from './inbox-url.ts';
import type { InboxRows } from './use-inbox-rows.ts';

/** The invitation that is selected in the list, and open beside it, or on a phone instead of it. */
export function useOpenInvitation({ listedItem }: Pick<InboxRows, 'listedItem'>) {
  const [{ box, selected }] = useUrlState(inboxUrl);
  const listed = listedItem(selected ?? '');
  const isAnswering = usePending(invitationTarget(selected ?? '')) !== undefined;
  const asksConsent = box === 'received' && !isAnswering && (!listed || listed.status === 'new');
  // The selected invitation. Its list may not contain it: opened by a link, or withdrawn while it is shown.
  const one = useQuery({
    ...invitationQuery(selected ?? ''),
    ...(asksConsent && consentReads),
    enabled: selected !== null && (!listed || asksConsent),
  });
  const isGone = useGone(selected ?? '', one);
  // A response from before it was withdrawn would still offer the buttons. The row has the swarm as it was when it was listed.
  const read = selected === null || isGone ? undefined : one.data;
  const item = useMemo(() => {
    const isOpen = box === 'received' && listed?.status === 'new';
    return isOpen && read ? { ...listed, swarm: read.swarm } : (listed ?? read);
  }, [box, listed, read]);
  /** The invitation that is accepted so that links of the swarm show its device. */
  const [shownByLinks, setShownByLinks] = useState<string | null>(null);

  return {
    /** Undefined while it loads, or if there is none. */
    item,
    error: listed ? null : one.error,
    shownByLinks,
    ...useStableFunctions({
      reload: () => void one.refetch(),
      showByLinks: (isShown: boolean) => setShownByLinks(isShown ? selected : null),
    }),
  };
}

export type OpenInvitation = ReturnType<typeof useOpenInvitation>;
