import { useState } from 'react';
import { t } from '../../../text/text.ts';
import type { Inbox } from './use-inbox.ts';

/** The announcement when invitations arrive. Empty after a change of the box or the search. */
export function useArrivals({ open, url }: Pick<Inbox, 'open' | 'url'>): string {
  const scope = `${url.box} ${url.q} ${url.resource}`;
  const newest = open.rows.at(0);
  const [known, setKnown] = useState({ scope, sent_at: newest?.sent_at, announcement: '' });
  if (known.scope !== scope || (known.sent_at === undefined && newest))
    setKnown({ scope, sent_at: newest?.sent_at, announcement: '' });
  else if (newest && known.sent_at !== undefined && newest.sent_at > known.sent_at) {
    const since = known.sent_at;
    let count = 0;
    while ((open.rows.at(count)?.sent_at ?? '') > since) count += 1;
    setKnown({ scope, sent_at: newest.sent_at, announcement: t.invitations.arrived(count) });
  }
  return known.announcement;
}
