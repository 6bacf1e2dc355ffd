import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react';
import { t } from '../../../text/text.ts';
import { atTextSize, touch, useMedia } from '../../../ui/media.ts';
import { useStableFunctions } from '../../../ui/stable-functions.ts';
import { SkeletonRow } from '../../../ui/skeleton.tsx';
import { nearEnd, viewOf, VirtualList, type VirtualListHandle } from '../../../ui/virtual-list.tsx';
import { DeviceRow, type ListCommands, type RowCommands } from './device-row.tsx';
import type { DeviceList as Loaded } from './use-device-list.ts';
import type { HomeSelection } from './use-device-selection.ts';

/** If the user scrolls this many rows beyond the loaded ones, the rows there are loaded instead. */
const farRows = 300;
/** How many rows before the visible ones are loaded with them. */
const rowsBefore = 100;

export function DeviceList(props: {
  list: Pick<Loaded, 'rows' | 'device' | 'total' | 'changing' | 'scroll'>;
  selected: string | null;
  hovered: string | null;
  commands: ListCommands;
  /** Without it, nothing can be selected. */
  selection: HomeSelection | undefined;
  userId: string | undefined;
  /** The point that the list is sorted by. */
  near: string | null;
  handle: RefObject<VirtualListHandle | null>;
}) {
  const { list, selected, hovered, commands, selection, userId, near, handle } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = atTextSize(useMedia(touch) ? 64 : 56);
  const rowCommands = useStableFunctions<RowCommands>({
    select: commands.select,
    open: commands.open,
    place: commands.place,
    hover: commands.hover,
    toggle: (id, range) => selection?.toggle(id, range),
  });
  const { rows: loaded, scroll } = list;
  const { offset: firstRow, start } = scroll;
  const end = firstRow + loaded.length;

  const restore = useEffectEvent((view: Element) => view.scrollTo({ top: scroll.leftAt }));
  const leave = useEffectEvent((top: number) => scroll.leave(top));
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    restore(viewOf(element));
    return () => leave(viewOf(element).scrollTop);
  }, []);

  const shown = !list.changing && start && 'around' in start ? start.around : null;
  useLayoutEffect(() => {
    if (shown !== null) handle.current?.reveal(shown);
  }, [shown, handle]);

  return (
    <VirtualList
      scroller={scroller}
      handle={handle}
      busy={list.changing}
      sections={[
        {
          label: t.devices.list,
          rows: loaded,
          rowHeight,
          firstRow,
          count: scroll.hasMore ? (list.total ?? 0) : 0,
          onVisible(visible) {
            if (list.changing) return;
            scroll.show(visible);
            const isFar = visible.start < firstRow || visible.start > end + farRows;
            if (isFar) scroll.loadFrom(Math.max(0, visible.start - rowsBefore));
            else if (visible.end >= end - nearEnd) scroll.loadMore();
          },
          renderRow(row, tabIndex) {
            const device = row < firstRow ? undefined : loaded.at(row - firstRow);
            if (!device) return <SkeletonRow />;
            return (
              <DeviceRow
                device={list.device(device.id) ?? device}
                isSelected={device.id === selected}
                isHovered={device.id === hovered}
                owner={device.user_id === (userId ?? device.user_id) ? null : device.user_id}
                selection={selection ? (selection.has(device.id) ? 'checked' : 'none') : undefined}
                near={near}
                isSelecting={selection?.isActive === true}
                tabIndex={tabIndex}
                commands={rowCommands}
              />
            );
          },
        },
      ]}
    />
  );
}
