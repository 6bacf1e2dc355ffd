import { useEffect, useImperativeHandle, useRef, useState } from 'react';
import { useWindow } from '../../../ui/list.tsx';
import type { BoxSide } from '../use-box-side.ts';
import { placeOf, walk } from './step.ts';
import type { Inbox } from './use-inbox.ts';
import { useKeepPlace } from './use-keep-place.ts';

const steps: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 8,
  PageUp: -8,
  Home: -Infinity,
  End: Infinity,
};

/** Loads what is about to be seen. */
function useMore({ side, last }: { side: BoxSide; last: number }) {
  const { loadMore, rows } = side;
  useEffect(() => {
    if (last >= rows.length - 20) loadMore();
  }, [last, rows.length, loadMore]);
}

/** Which rows of the inbox are in sight, which one Tab comes to, and how the focus goes from one to another. */
export function useInboxRows({
  inbox,
  phone,
  openHeight,
  pastHeight,
}: {
  inbox: Inbox;
  phone: boolean;
  openHeight: number;
  pastHeight: number;
}) {
  const { open, history, url } = inbox;
  const scroller = useRef<HTMLDivElement>(null);
  const openList = useRef<HTMLUListElement>(null);
  const pastList = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState<string | null>(null);
  const focusWanted = useRef<string | null>(null);

  const place = (id: string | null) => placeOf({ open: open.rows, history: history.rows, id });
  const tabPlace = Math.max(0, place(active) < 0 ? place(url.selected) : place(active));
  const isOpen = tabPlace < open.rows.length;
  const first = useWindow({
    scroller,
    list: openList,
    count: open.total,
    rowHeight: openHeight,
    keep: isOpen ? tabPlace : null,
  });
  const past = useWindow({
    scroller,
    list: pastList,
    count: history.total,
    rowHeight: pastHeight,
    keep: isOpen ? null : tabPlace - open.rows.length,
  });
  useMore({ side: open, last: first.range.end });
  useMore({ side: history, last: past.range.end });
  const arrivals = useKeepPlace({ scroller, list: openList, rows: open.rows, rowHeight: openHeight });

  const reveal = (id: string) => {
    const at = place(id);
    if (at < 0) return;
    if (at < open.rows.length) first.reveal(at);
    else past.reveal(at - open.rows.length);
  };
  const focusNow = () => {
    const id = focusWanted.current;
    if (id === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-id="${id}"]`);
    reveal(id);
    // a row far away is rendered first, and one that has just been loaded
    if (!row) return;
    focusWanted.current = null;
    row.focus({ preventScroll: true });
  };
  useEffect(focusNow);
  const focus = (id: string | null) => {
    if (id === null) return;
    focusWanted.current = id;
    setActive(id);
    focusNow();
  };
  const atPlace = (by: number) =>
    walk({ open: open.rows, history: history.rows, id: active ?? url.selected, by, more: open.hasMore });
  const moveTo = (id: string | null) => {
    // what has the focus is what keys act on, so it is open as well
    if (!phone && id !== null) url.select(id);
    focus(id);
  };
  /** The last one there is; what is on the way to it is loaded. Of what needs an answer first, then of all. */
  const goToEnd = async () => {
    const inOpen = tabPlace < (open.hasMore ? open.rows.length : open.rows.length - 1);
    try {
      const items = await (inOpen ? open : history).loadAll();
      moveTo(items.at(-1)?.id ?? null);
    } catch {
      // the list says what went wrong, and one stays where one is
    }
  };
  useImperativeHandle(inbox.list, () => ({
    reveal(id) {
      reveal(id);
      setActive(id);
    },
    focus: (id) => focus(id ?? url.selected ?? atPlace(0)),
    hasFocus: () => scroller.current?.contains(document.activeElement) ?? false,
  }));

  return {
    scroller,
    openList,
    pastList,
    first,
    past,
    tabPlace,
    arrivals,
    setActive,
    /** False where the key is none that goes anywhere. */
    goByKey(key: string): boolean {
      const by = steps[key];
      if (by === undefined) return false;
      if (key === 'End') void goToEnd();
      else moveTo(atPlace(by));
      return true;
    },
  };
}
