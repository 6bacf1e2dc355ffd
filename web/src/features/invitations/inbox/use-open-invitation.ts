import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useGone } from '../../../data/use-gone.ts';
import type { Rows } from '../../../data/cache/paged-rows.ts';
import { invitationQuery } from '../../../shared/actions/answers.tsx';
import { consentReads } from '../../../shared/flow.tsx';
import { phone, useMedia } from '../../../ui/media.ts';
import { shareHook } from '../../../ui/share-hook.tsx';
import { readUrl, useUrlState } from '../../../ui/url-state.ts';
import { inboxUrl } from './inbox-url.ts';
import { useInboxFocus } from './use-inbox-focus.ts';
import { useInboxRows } from './use-inbox-rows.ts';

/** The invitation that is selected in the list, and open beside it, or on a phone instead of it. */
export const [OpenInvitationProvider, useOpenInvitation] = shareHook(function useOpenInvitationState() {
  const [{ box, selected }, setUrl] = useUrlState(inboxUrl);
  const { rows, open, listedItem } = useInboxRows();
  const { list } = useInboxFocus();
  const isPhone = useMedia(phone);
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
  const place = rows.indexOf(selected ?? '');
  /** The invitation that is accepted so that links of the swarm show its device. */
  const [shownByLinks, setShownByLinks] = useState<string | null>(null);

  /** Selects the row. On a phone without a row, returns to the list. */
  const goTo = (id: string | null) => {
    if (id !== null || isPhone) setUrl({ selected: id });
    if (id !== null) list.current?.reveal(id);
  };
  /** The invitation that shortcuts apply to: the one with the focus, which was announced, or the selected one. */
  const idNow = () => list.current?.focused() ?? readUrl(inboxUrl).selected;
  return {
    item,
    shownByLinks,
    showByLinks: (isShown: boolean) => setShownByLinks(isShown ? selected : null),
    error: listed ? null : one.error,
    reload: () => void one.refetch(),
    /** Its index in the rows, or -1. */
    place,
    hasNext: place >= 0 && place + 1 < rows.length,
    goTo,
    itemNow() {
      const id = idNow() ?? '';
      return listedItem(id) ?? (item?.id === id ? item : undefined);
    },
    step(by: number) {
      const next = rowAfterStep({ rows, open: open.rows.length, id: idNow(), by, more: open.hasMore });
      goTo(next);
      if (next !== null) list.current?.focus(next);
    },
  };
});

interface RowAfterStepOptions {
  rows: Pick<Rows, 'length' | 'at' | 'indexOf'>;
  open: number;
  id: string | null;
  by: number;
  more: boolean;
}

/**
 * The row `by` rows after `id`. `open`: how many of the rows are open. `more`: some open rows are not loaded, and must
 * not be skipped.
 */
export function rowAfterStep({ rows, open, id, by, more }: RowAfterStepOptions): string | null {
  const place = rows.indexOf(id ?? '');
  const last = (more && place < open ? open : rows.length) - 1;
  return rows.at(place < 0 ? 0 : Math.min(Math.max(0, place + by), last))?.id ?? null;
}
