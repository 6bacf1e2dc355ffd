import { useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { formatNumber } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { useWindow } from '../../ui/list.tsx';
import { phone as phoneQuery, touch, useMedia } from '../../ui/media.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { HistoryRow } from './history-row.tsx';
import './inbox-list.css';
import { InvitationRow } from './invitation-row.tsx';
import type { RowActions } from './invitation-row.tsx';
import { words } from './invitation-words.ts';
import { placeOf, walk } from './step.ts';
import type { BoxSide } from './use-box-side.ts';
import type { Inbox } from './use-inbox.ts';
import { useKeepPlace } from './use-keep-place.ts';
import { useSteady } from './use-steady.ts';

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

/** What needs an answer under its own heading, then history; of however many there are, the rows in sight. */
export function InboxList({
  inbox,
  openHead,
  historyHead,
}: {
  inbox: Inbox;
  openHead: ReactNode;
  historyHead: ReactNode;
}) {
  const { open, history, url, ticked } = inbox;
  const phone = useMedia(phoneQuery);
  const onTouch = useMedia(touch);
  const openHeight = phone ? 148 : onTouch ? 96 : 76;
  const pastHeight = 60;
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

  const actions = useSteady<RowActions>({
    select: (item: InvitationItem) => url.select(item.id, { replace: !phone }),
    toggle: inbox.toggle,
    answer: inbox.answer,
    dismiss: inbox.dismiss,
    focused: setActive,
    goByKey(key) {
      const by = steps[key];
      if (by === undefined) return false;
      if (key === 'End') void goToEnd();
      else moveTo(atPlace(by));
      return true;
    },
  });
  const rowOf = (item: InvitationItem, row: number, side: BoxSide, at: number) => ({
    item,
    box: url.box,
    row,
    count: side.total,
    selected: item.id === url.selected,
    tabStop: at === tabPlace,
    actions,
  });
  return (
    <div ref={scroller} className="inbox-list" data-answers tabIndex={-1} aria-busy={open.changing || undefined}>
      {arrivals.above > 0 && (
        <div className="inbox-arrivals">
          <Button look="primary" size="small" icon="back" onClick={() => scroller.current?.scrollTo({ top: 0 })}>
            {words.new_above(formatNumber(arrivals.above))}
          </Button>
        </div>
      )}
      <div className="inbox-rows">
        {openHead}
        <ul ref={openList} aria-label={words.needs_answer} style={{ blockSize: first.height }}>
          {first.rows.map((row) => {
            const item = open.rows.at(row);
            const place = { offset: first.offset(row), height: openHeight };
            if (!item) return <WaitingRow key={row} {...place} />;
            const isTicked = ticked.has(item.id);
            return <InvitationRow key={item.id} {...rowOf(item, row, open, row)} {...place} ticked={isTicked} />;
          })}
        </ul>
        {historyHead}
        <ul ref={pastList} aria-label={words.history} style={{ blockSize: past.height }}>
          {past.rows.map((row) => {
            const item = history.rows.at(row);
            const place = { offset: past.offset(row), height: pastHeight };
            if (!item) return <WaitingRow key={row} {...place} />;
            return <HistoryRow key={item.id} {...rowOf(item, row, history, open.rows.length + row)} {...place} />;
          })}
        </ul>
      </div>
    </div>
  );
}

function WaitingRow({ offset, height }: { offset: number; height: number }) {
  const style = { insetBlockStart: offset, blockSize: height };
  return (
    <li className="invitation invitation-loading" style={style} aria-hidden="true">
      <Skeleton width="60%" height="11px" />
      <Skeleton width="36%" />
    </li>
  );
}
