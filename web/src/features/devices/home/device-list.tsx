import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import { t } from '../../../text/text.ts';
import { useRowHeight } from '../../../ui/lists/row-height.ts';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';
import { SkeletonRow } from '../../../ui/pages/skeleton.tsx';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { viewOf } from '../../../ui/lists/list-sections.ts';
import { nearEnd, VirtualList } from '../../../ui/lists/virtual-list.tsx';
import { homeUrl } from '../device-filters.ts';
import { DeviceRow, type RowCommands } from './device-row.tsx';
import { useHome } from './home-state.ts';
import { useOpenDevice } from './use-selected-device.ts';

/** If the user scrolls this many rows beyond the loaded ones, the rows there are loaded instead. */
const farRows = 300;
/** How many rows before the visible ones are loaded with them. */
const rowsBefore = 100;

export function DeviceList() {
  const [{ selected, sort, filters }] = useUrlState(homeUrl);
  const { rows: loaded, counts, changes, status, scroll, handle, sortPoint } = useHome('list');
  const { checked, check } = useHome('selection');
  const { show } = useHome('selected');
  const { place } = useHome('placing');
  const open = useOpenDevice();
  const { ownerOf } = useHome('owner');
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight({ base: 56, touch: 64 });
  const selection = checked.isPossible ? checked : undefined;
  const rowCommands = useStableFunctions<RowCommands>({
    select: show,
    open,
    place,
    toggle: check.toggle,
  });
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

  const shown = !status.isChanging && start && 'around' in start ? start.around : null;
  useLayoutEffect(() => {
    if (shown !== null) handle.current?.reveal(shown);
  }, [shown, handle]);

  return (
    <VirtualList
      scroller={scroller}
      handle={handle}
      busy={status.isChanging}
      sections={[
        {
          label: t.devices.list,
          rows: loaded,
          rowHeight,
          firstRow,
          count: scroll.hasMore ? (counts.total ?? 0) : 0,
          onVisible(visible) {
            if (status.isChanging) return;
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
                device={changes.device(device.id) ?? device}
                isSelected={device.id === selected}
                owner={ownerOf(device)}
                selection={selection ? (selection.has(device.id) ? 'checked' : 'none') : undefined}
                valueKey={filters.values?.[0]}
                near={sort === 'near' ? sortPoint.at : null}
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
