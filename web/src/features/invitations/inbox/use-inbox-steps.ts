import { useEffect, useEffectEvent, useState } from 'react';
import { useIsUndone } from '../../../data/actions/actions.ts';
import type { Rows } from '../../../data/cache/paged-rows.ts';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { readUrl, useUrlState } from '../../../ui/urls/url-state.ts';
import type { InboxLayout } from './inbox-layout.ts';
import { inboxUrl } from './inbox-url.ts';
import type { InboxFocus } from './use-inbox-focus.ts';
import type { InboxRows } from './use-inbox-rows.ts';
import type { OpenInvitation } from './use-open-invitation.ts';

interface Answered {
  id: string;
  /** The id of the action that answers it. */
  action: string | undefined;
}

interface InboxStepsOptions {
  layout: InboxLayout;
  focus: InboxFocus;
  rows: InboxRows;
  open: OpenInvitation;
}

/** Which invitation is opened next, and its place in the rows. */
export function useInboxSteps({ layout, focus: { list }, rows: listed, open: { item } }: InboxStepsOptions) {
  const [{ selected }, setUrl] = useUrlState(inboxUrl);
  const { rows, open, listedItem, isBusy } = listed;
  const place = rows.indexOf(selected ?? '');
  const [answered, setAnswered] = useState<Answered>();
  const isUndone = useIsUndone(answered?.action);

  /** Opens an invitation; null leaves the open one. Only a link from another page opens one without it. */
  const goTo = (id: string | null) => (id === null ? layout.close(setUrl) : layout.open(id, setUrl));
  const idNow = () => layout.idNow({ selected: readUrl(inboxUrl).selected, focused: list.current?.focused() ?? null });
  // Beside a list, it is there without being opened.
  const returnToAnswered = useEffectEvent(() => {
    if (answered && !layout.isListShown(selected)) goTo(answered.id);
  });
  useEffect(() => {
    if (isUndone) returnToAnswered();
  }, [isUndone]);
  return {
    /** The index of the open one in the rows, or -1. */
    place,
    hasNext: place >= 0 && place + 1 < rows.length,
    /** Opens the one that was answered again if the answer is undone while another one hides the list. */
    setAnswered,
    ...useStableFunctions({
      goTo,
      /** The invitation that shortcuts apply to. */
      itemNow() {
        const at = idNow() ?? '';
        // The row with the focus may have been answered.
        const id = isBusy(at) ? (readUrl(inboxUrl).selected ?? at) : at;
        return listedItem(id) ?? (item?.id === id ? item : undefined);
      },
      /** Opens the invitation `by` rows after that of `itemNow`. Returns its id, or null. */
      step(by: number): string | null {
        const next = rowAfterStep({ rows, open: open.rows.length, id: idNow(), by, more: open.hasMore });
        if (next !== null) goTo(next);
        return next;
      },
    }),
  };
}

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
