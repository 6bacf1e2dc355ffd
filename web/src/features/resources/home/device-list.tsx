import { useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { Ref } from 'react';
import { t } from '../../../text/text.ts';
import { useWindow } from '../../../ui/list.tsx';
import { touch, useMedia } from '../../../ui/media.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import './device-list.css';
import { DeviceRow } from './device-row.tsx';
import type { ListActions } from './device-row.tsx';
import type { DeviceList as Loaded } from './use-device-list.ts';

/** What other parts of the page ask of the list. */
export interface ListHandle {
  /** Moves the focus to a device's row if it is loaded; without an id to the row that had it last. */
  focus(id?: string): void;
  /** Brings a device's row into sight, where it is loaded. */
  reveal(id: string): void;
  toTop(): void;
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

/**
 * The rows in sight of however many there are. Rows that are still on their way hold their place as
 * skeletons, and the pages up to them are fetched one after the other.
 */
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
  const rowHeight = useMedia(touch) ? 64 : 56;
  const count = list.hasMore ? Math.max(list.rows.length, list.total ?? 0) : list.rows.length;
  const tabRow = Math.min(active, list.rows.length - 1);
  const { rows, height, offset, reveal } = useWindow({
    scroller,
    list: body,
    count,
    rowHeight,
    keep: Math.max(0, tabRow),
  });

  const last = rows.at(-1) ?? 0;
  const { loadMore, rows: loaded } = list;
  useEffect(() => {
    if (last >= loaded.length - 20) loadMore();
  }, [last, loaded.length, loadMore]);

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

  const go = (row: number) => {
    focusWanted.current = row;
    reveal(row);
    setActive(row);
    focusNow();
  };
  useImperativeHandle(handle, () => ({
    focus: (id) => {
      const row = id === undefined ? Math.max(0, tabRow) : loaded.indexOf(id);
      if (row >= 0) go(row);
    },
    reveal: (id) => {
      const row = loaded.indexOf(id);
      if (row < 0) return;
      reveal(row);
      setActive(row);
    },
    toTop: () => scroller.current?.scrollTo({ top: 0 }),
  }));

  const goByKey = (key: string) => {
    const ends: Record<string, number> = { Home: 0, End: loaded.length - 1 };
    const step = steps[key];
    const row = step === undefined ? ends[key] : tabRow + step;
    if (row === undefined) return false;
    go(Math.min(Math.max(0, row), loaded.length - 1));
    return true;
  };
  return (
    <div ref={scroller} className="device-list" aria-busy={list.changing || undefined} tabIndex={-1}>
      <ul ref={body} className="device-list-rows" aria-label={t.devices.list} style={{ blockSize: height }}>
        {rows.map((row) => {
          const device = loaded.at(row);
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
