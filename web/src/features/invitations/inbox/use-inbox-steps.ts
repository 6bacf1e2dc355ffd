import { useEffect, useEffectEvent, useState } from 'react';
import { useIsUndone } from '../../../data/actions/actions.ts';
import type { Rows } from '../../../data/cache/paged-rows.ts';
import { phone, useMedia } from '../../../ui/media.ts';
import { shareHook } from '../../../ui/share-hook.tsx';
import { readUrl, useUrlState } from '../../../ui/url-state.ts';
import { inboxUrl } from './inbox-url.ts';
import { useInboxFocus } from './use-inbox-focus.ts';
import { useInboxRows } from './use-inbox-rows.ts';
import { useOpenInvitation } from './use-open-invitation.ts';

interface Answered {
  id: string;
  /** The id of the action that answers it. */
  action: string | undefined;
}

/** The state of a history entry of an invitation: the entry before it is the list that it was opened from. */
const overList = { isOverList: true };
const isOverList = () => (history.state as Partial<typeof overList> | null)?.isOverList === true;

/** Which invitation is opened next, and its place in the rows. */
export const [InboxStepsProvider, useInboxSteps] = shareHook(function useInboxStepsState() {
  const [{ selected }, setUrl] = useUrlState(inboxUrl);
  const { rows, open, listedItem } = useInboxRows();
  const { list } = useInboxFocus();
  const { item } = useOpenInvitation();
  const isPhone = useMedia(phone);
  const place = rows.indexOf(selected ?? '');
  const [answered, setAnswered] = useState<Answered>();
  const isUndone = useIsUndone(answered?.action);

  /**
   * Opens an invitation; null returns to the list of a phone. All that opens one calls it, and so the list is in the history
   * once: what replaces a phone's list adds an entry, from which Back leads to it, and so does `goTo(null)`.
   */
  const goTo = (id: string | null) => {
    if (id !== null) {
      const push = isPhone && readUrl(inboxUrl).selected === null;
      setUrl({ selected: id }, { push, state: push || isOverList() ? overList : undefined });
    } else if (isPhone) {
      if (isOverList()) history.back();
      else setUrl({ selected: null });
    }
  };
  /**
   * The invitation that shortcuts apply to: on a phone the open one, otherwise the one with the focus, which was announced,
   * or the selected one.
   */
  const idNow = () => {
    const shown = readUrl(inboxUrl).selected;
    return (isPhone ? shown : null) ?? list.current?.focused() ?? shown;
  };
  const returnToAnswered = useEffectEvent(() => {
    if (isPhone && selected !== null && answered) goTo(answered.id);
  });
  useEffect(() => {
    if (isUndone) returnToAnswered();
  }, [isUndone]);
  return {
    /** The index of the open one in the rows, or -1. */
    place,
    hasNext: place >= 0 && place + 1 < rows.length,
    goTo,
    /** A phone shows the one that was answered again if the answer is undone. */
    setAnswered,
    itemNow() {
      const id = idNow() ?? '';
      return listedItem(id) ?? (item?.id === id ? item : undefined);
    },
    step(by: number) {
      const next = rowAfterStep({ rows, open: open.rows.length, id: idNow(), by, more: open.hasMore });
      if (next === null) return;
      goTo(next);
      if (!isPhone) list.current?.focus(next);
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
