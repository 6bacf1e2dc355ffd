import type { ComponentProps, ReactNode } from 'react';
import { listRows } from './list-rows.ts';
import { NextPageFailed, type NextPageQuery } from '../buttons/more-button.tsx';
import type { Identified, ListSection } from './list-sections.ts';
import { nearEnd, VirtualList } from './virtual-list.tsx';

interface PagedListProps<Item extends Identified> extends Pick<
  ComponentProps<typeof VirtualList>,
  'className' | 'handle' | 'keepPlace'
> {
  label: string;
  isTable?: boolean;
  /** The loaded ones. */
  items: readonly Item[];
  query: NextPageQuery;
  /** In px. */
  rowHeight: number;
  renderItem(item: Item, tabIndex: 0 | -1): ReactNode;
}

/** A list of one section with the items of an infinite query, which fetches more of them as the user scrolls. */
export function PagedList<Item extends Identified>({
  label,
  items,
  query,
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
      const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
      const canFetch = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
      if (end >= items.length - nearEnd && canFetch) void fetchNextPage();
    },
    renderRow(row, tabIndex) {
      const item = items[row];
      return item && renderItem(item, tabIndex);
    },
  };
  return (
    <VirtualList {...list} sections={[section]} foot={query.isFetchNextPageError && <NextPageFailed query={query} />} />
  );
}
