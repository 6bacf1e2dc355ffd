import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useGone } from '../../../data/use-gone.ts';
import { invitationQuery } from '../../../shared/actions/answers.tsx';
import { consentReads } from '../../../shared/flow.tsx';
import { shareHook } from '../../../ui/share-hook.tsx';
import { useUrlState } from '../../../ui/url-state.ts';
import { inboxUrl } from './inbox-url.ts';
import { useInboxRows } from './use-inbox-rows.ts';

/** The invitation that is selected in the list, and open beside it, or on a phone instead of it. */
export const [OpenInvitationProvider, useOpenInvitation] = shareHook(function useOpenInvitationState() {
  const [{ box, selected }] = useUrlState(inboxUrl);
  const { listedItem } = useInboxRows();
  const listed = listedItem(selected ?? '');
  const asksConsent = box === 'received' && (!listed || listed.status === 'new');
  // The selected invitation. Its list may not contain it: opened by a link, or withdrawn while it is shown.
  const one = useQuery({
    ...invitationQuery(selected ?? ''),
    ...(asksConsent && consentReads),
    enabled: selected !== null && (!listed || asksConsent),
  });
  const isGone = useGone({ id: selected ?? '', ...one });
  // A response from before it was withdrawn would still offer the buttons. The row has the swarm as it was when it was listed.
  const read = selected === null || isGone ? undefined : one.data;
  const item = listed && asksConsent && read ? { ...listed, swarm: read.swarm } : (listed ?? read);
  /** The invitation that is accepted so that links of the swarm show its device. */
  const [shownByLinks, setShownByLinks] = useState<string | null>(null);

  return {
    /** Undefined while it loads, or if there is none. */
    item,
    error: listed ? null : one.error,
    reload: () => void one.refetch(),
    shownByLinks,
    showByLinks: (isShown: boolean) => setShownByLinks(isShown ? selected : null),
  };
});
