import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import type { Device } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { useWindow } from '../../ui/list.tsx';
import { touch, useMedia } from '../../ui/media.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import './device-list.css';
import { DeviceRow } from './device-row.tsx';
import type { RowActions } from './device-row.tsx';
import type { DeviceList as Loaded } from './use-device-list.ts';

/** What other parts of the page ask of the list. */
export interface ListHandle {
  focus(): void;
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
  actions: Omit<RowActions, 'focused'>;
  handle: RefObject<ListHandle | null>;
}) {
  const { list, selected, hovered, actions, handle } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState(0);
  const [focusWanted, setFocusWanted] = useState<number | null>(null);
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

  useEffect(() => {
    if (focusWanted === null) return;
    body.current?.querySelector<HTMLElement>(`[data-row="${focusWanted}"]`)?.focus({ preventScroll: true });
    setFocusWanted(null);
  }, [focusWanted, rows]);

  const go = useCallback(
    (row: number) => {
      reveal(row);
      setActive(row);
      setFocusWanted(row);
    },
    [reveal],
  );

  useEffect(() => {
    handle.current = {
      focus: () => go(Math.max(0, tabRow)),
      reveal: (id) => {
        const row = loaded.findIndex((device) => device.id === id);
        if (row < 0) return;
        reveal(row);
        setActive(row);
      },
      toTop: () => scroller.current?.scrollTo({ top: 0 }),
    };
  }, [handle, loaded, reveal, go, tabRow]);

  const rowActions = useMemo(() => ({ ...actions, focused: setActive }), [actions]);

  const onKeyDown = (event: KeyboardEvent) => {
    const ends: Record<string, number> = { Home: 0, End: loaded.length - 1 };
    const step = steps[event.key];
    const row = step === undefined ? ends[event.key] : tabRow + step;
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(Math.min(Math.max(0, row), loaded.length - 1));
  };

  return (
    <div ref={scroller} className="device-list" aria-busy={list.changing || undefined} tabIndex={-1}>
      <ul
        ref={body}
        className="device-list-rows"
        aria-label={t.devices.list}
        style={{ blockSize: height }}
        onKeyDown={onKeyDown}
      >
        {rows.map((row) => {
          const device = loaded[row];
          if (!device) return <WaitingRow key={row} offset={offset(row)} />;
          return (
            <DeviceRow
              key={device.id}
              device={newest(list, device)}
              row={row}
              count={count}
              offset={offset(row)}
              selected={device.id === selected}
              hovered={device.id === hovered}
              tabStop={row === tabRow}
              actions={rowActions}
            />
          );
        })}
      </ul>
    </div>
  );
}

/** The device as it was last seen to be, at the place where it was loaded. */
export function newest(list: Pick<Loaded, 'fresh'>, device: Device): Device {
  const fresh = list.fresh.get(device.id);
  return fresh && fresh.changed_at > device.changed_at ? fresh : device;
}

function WaitingRow({ offset }: { offset: number }) {
  return (
    <li className="device-row device-row-waiting" style={{ insetBlockStart: offset }} aria-hidden="true">
      <Skeleton width="32px" height="32px" />
      <span>
        <Skeleton width="60%" height="11px" />
        <Skeleton width="36%" />
      </span>
    </li>
  );
}
