import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { inboxCountQuery } from '../features/invitations/inbox-count.api.ts';
import { t } from '../text/text.ts';

/**
 * Says on every page how many invitations have arrived. Each time it is another element: screen readers say nothing if the
 * same text is set again.
 */
export function InvitationAnnouncer() {
  const { data } = useQuery({ ...inboxCountQuery, enabled: false });
  const open = data?.received.new;
  const [known, setKnown] = useState({ open, count: 0, times: 0 });
  if (open !== known.open) {
    const count = open !== undefined && known.open !== undefined ? open - known.open : 0;
    setKnown({ open, count: Math.max(0, count), times: known.times + 1 });
  }
  return (
    <p className="visually-hidden" aria-live="polite">
      {known.count > 0 && <span key={known.times}>{t.invitations.arrived(known.count)}</span>}
    </p>
  );
}
