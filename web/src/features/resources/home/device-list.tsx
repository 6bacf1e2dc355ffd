import { useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import type { Ref } from 'react';
import { t } from '../../../text/text.ts';
import { useWindow } from '../../../ui/list.tsx';
import { touch, useMedia } from '../../../ui/media.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { atTextSize } from '../../../ui/text-size.ts';
import './device-list.css';
import { DeviceRow } from './device-row.tsx';
import type { ListActions } from './device-row.tsx';
import type { DeviceList as Loaded } from './use-device-list.ts';

/** What other parts of the page do with the list. */
export interface ListHandle {
  /** Moves the focus to a device's row if it is loaded; without an id to the row that had it last. */
  focus(id?: string): void;
  /** Scrolls to a device's row, if it is loaded. */
  reveal(id: string): void;
  toTop(): void;
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

/** How far beyond the loaded rows one scrolls before the rows there are loaded in their place. */
const farRows = 300;
/** How many rows before the visible ones are loaded with them. */
const rowsBefore = 100;

/** The visible rows of a list of any length. Rows that are not loaded yet are drawn as skeletons. */
export function DeviceList(props: {
  list: Loaded;
  selected: string | null;
  hovered: string | null;
  actions: ListActions;
  handle: Ref<ListHandle>;
}) {
  const { list, selected, hovered, actions, handle } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState(0);
  const focusWanted = useRef<number | null>(null);
  const rowHeight = atTextSize(useMedia(touch) ? 64 : 56);
  const { loadMore, rows: loaded, offset: firstRow } = list;
  const end = firstRow + loaded.length;
  const count = list.hasMore ? Math.max(end, list.total ?? 0) : end;
  const tabRow = Math.min(Math.max(active, firstRow), end - 1);
  const { rows, range, height, offset, reveal, visible } = useWindow({
    scroller,
    list: body,
    count,
    rowHeight,
    keep: Math.max(0, tabRow),
  });

  const returnTo = useEffectEvent(() => scroller.current?.scrollTo({ top: list.leftAt }));
  const leave = useEffectEvent((top: number) => list.leave(top));
  useLayoutEffect(() => {
    const element = scroller.current;
    returnTo();
    return () => {
      if (element) leave(element.scrollTop);
    };
  }, []);

  const shown = !list.changing && list.start && 'around' in list.start ? list.start.around : null;
  const revealShown = useEffectEvent((id: string) => revealDevice(id));
  useLayoutEffect(() => {
    if (shown !== null) revealShown(shown);
  }, [shown]);

  // the range was rendered before the list was scrolled to a row
  const load = useEffectEvent((_rendered: typeof range, from: number, to: number, isChanging: boolean) => {
    const seen = visible();
    if (!seen || isChanging) return;
    if (seen.start < from || seen.start > to + farRows) list.loadFrom(Math.max(0, seen.start - rowsBefore));
    else if (seen.end >= to - 20) loadMore();
  });
  const { changing } = list;
  useEffect(() => load(range, firstRow, end, changing), [range, firstRow, end, changing]);

  const focusNow = () => {
    const button = body.current?.querySelector<HTMLElement>(`[data-row="${focusWanted.current}"]`);
    if (!button) return;
    focusWanted.current = null;
    button.focus({ preventScroll: true });
  };
  // a row far away is rendered first
  useEffect(() => {
    if (focusWanted.current !== null) focusNow();
  });

  /** -1 if it is not loaded. */
  function rowOf(id: string): number {
    const row = loaded.indexOf(id);
    return row < 0 ? -1 : firstRow + row;
  }
  function revealDevice(id: string) {
    const row = rowOf(id);
    if (row < 0) return;
    reveal(row);
    setActive(row);
  }
  const go = (row: number) => {
    focusWanted.current = row;
    reveal(row);
    setActive(row);
    focusNow();
  };
  useImperativeHandle(handle, () => ({
    focus: (id) => {
      const row = id === undefined ? Math.max(firstRow, tabRow) : rowOf(id);
      if (row >= 0) go(row);
    },
    reveal: revealDevice,
    toTop: () => scroller.current?.scrollTo({ top: 0 }),
  }));

  const goByKey = (key: string) => {
    const ends: Record<string, number> = { Home: firstRow, End: end - 1 };
    const step = steps[key];
    const row = step === undefined ? ends[key] : tabRow + step;
    if (row === undefined) return false;
    go(Math.min(Math.max(firstRow, row), end - 1));
    return true;
  };
  return (
    <div ref={scroller} className="device-list" aria-busy={list.changing || undefined} tabIndex={-1}>
      <ul ref={body} className="device-list-rows" aria-label={t.devices.list} style={{ blockSize: height }}>
        {rows.map((row) => {
          const device = row < firstRow ? undefined : loaded.at(row - firstRow);
          if (!device) return <WaitingRow key={row} offset={offset(row)} />;
          return (
            <DeviceRow
              key={device.id}
              device={list.device(device.id) ?? device}
              row={row}
              count={count}
              offset={offset(row)}
              selected={device.id === selected}
              hovered={device.id === hovered}
              tabStop={row === tabRow}
              actions={{ ...actions, goByKey, focused: setActive }}
            />
          );
        })}
      </ul>
    </div>
  );
}

function WaitingRow({ offset }: { offset: number }) {
  return (
    <li className="device-row device-row-waiting" style={{ insetBlockStart: offset }} aria-hidden="true">
      <Skeleton width="32px" height="32px" />
      <span className="device-row-lines">
        <Skeleton width="60%" height="11px" />
        <Skeleton width="36%" />
      </span>
    </li>
  );
}
