import type { ComponentProps, ReactNode } from 'react';
import { LoadFailedNote } from './load-failed.tsx';
import { listRows } from './list-rows.ts';
import { nearEnd, VirtualList, type Identified, type ListSection } from './virtual-list.tsx';

interface PagedListProps<Item extends Identified> extends Pick<
  ComponentProps<typeof VirtualList>,
  'className' | 'handle' | 'keepPlace'
> {
  label: string;
  isTable?: boolean;
  /** The loaded ones. */
  items: readonly Item[];
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; error: unknown; fetchNextPage(): unknown };
  /** In px. */
  rowHeight: number;
  renderItem(item: Item, tabIndex: 0 | -1): ReactNode;
}

/** A list of one section with the items of an infinite query, which fetches more of them as the user scrolls. */
export function PagedList<Item extends Identified>({
  label,
  items,
  query: { hasNextPage, isFetchingNextPage, error, fetchNextPage },
  rowHeight,
  isTable = false,
  renderItem,
  ...list
}: PagedListProps<Item>) {
  const section: ListSection = {
    label,
    isTable,
    rows: listRows(items),
    rowHeight,
    onVisible({ end }) {
      if (end >= items.length - nearEnd && hasNextPage && !isFetchingNextPage && !error) void fetchNextPage();
    },
    renderRow(row, tabIndex) {
      const item = items[row];
      return item && renderItem(item, tabIndex);
    },
  };
  const failed = { error, isFetching: isFetchingNextPage, refetch: fetchNextPage };
  return (
    <VirtualList
      {...list}
      sections={[section]}
      foot={Boolean(error) && items.length > 0 && <LoadFailedNote query={failed} />}
    />
  );
}
