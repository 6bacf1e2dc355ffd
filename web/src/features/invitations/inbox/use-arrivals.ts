import { useState } from 'react';
import { t } from '../../../text/text.ts';
import type { Inbox } from './use-inbox.ts';

/** The announcement when invitations arrive. Empty after a change of the box or the search. */
export function useArrivals({ open, url }: Pick<Inbox, 'open' | 'url'>): string {
  const of = `${url.box} ${url.q} ${url.resource}`;
  const newest = open.rows.at(0);
  const [known, setKnown] = useState({ of, sent_at: newest?.sent_at, said: '' });
  if (known.of !== of || (known.sent_at === undefined && newest)) setKnown({ of, sent_at: newest?.sent_at, said: '' });
  else if (newest && known.sent_at !== undefined && newest.sent_at > known.sent_at) {
    const since = known.sent_at;
    let count = 0;
    while ((open.rows.at(count)?.sent_at ?? '') > since) count += 1;
    setKnown({ of, sent_at: newest.sent_at, said: t.invitations.arrived(count) });
  }
  return known.said;
}
