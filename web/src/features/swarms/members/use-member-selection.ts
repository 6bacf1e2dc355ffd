import { useState } from 'react';
import { nothingSelected, useListSelection } from '../../../bulk/use-list-selection.ts';
import { useMemberFilters } from './use-member-filters.ts';
import type { MemberList } from './use-member-list.ts';

/** The members that the user has selected in the table, of the page or of all pages, and selecting them. */
export function useMemberSelection({ query, rows, total }: Pick<MemberList, 'query' | 'rows' | 'total'>) {
  const { filters } = useMemberFilters();
  const [stored, update] = useState(() => nothingSelected(filters));
  const isOld = query.isPlaceholderData;
  return useListSelection({ stored, update, filters, isOld, order: () => rows.map((row) => row.id), total });
}
