import { useEffect, useRef, type ComponentType, type ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { PagedList } from '../../../ui/lists/paged-list.tsx';
import { useIsSettled } from '../../../ui/pages/use-is-settled.ts';
import type { MemberRowProps } from './member-row.tsx';
import '../../../ui/lists/table.css';
import './members-table.css';
import '../../../ui/lists/row-link.css';
import { useShownValue } from './use-member-filters.ts';
import { useMembers } from './members-state.ts';

const SelectedMembersBar = lazyPart(async () => (await import('./selected-members-bar.tsx')).SelectedMembersBar);

interface MembersTableProps {
  /** The row of the headings. */
  head: ReactNode;
  /** In px. */
  rowHeight: number;
  Row: ComponentType<MemberRowProps>;
}

/** The table of the members. A phone has other columns than a desk. */
export function MembersTable({ head, rowHeight, Row }: MembersTableProps) {
  const query = useMembers('query');
  const { rows, handle } = useMembers('list');
  const { isActive, total } = useMembers('selection').checked;
  const { valueKey } = useShownValue();
  useFirstReveal();
  const isSettled = useIsSettled();
  useEffect(() => {
    if (isSettled) void SelectedMembersBar.preload();
  }, [isSettled]);
  return (
    <>
      {isActive && <SelectedMembersBar />}
      <div
        role="table"
        aria-label={t.members.table}
        aria-rowcount={(total ?? -2) + 1}
        className={valueKey === undefined ? 'members-table' : 'members-table members-with-value'}
      >
        {head}
        <PagedList
          isTable
          handle={handle}
          keepPlace
          label={t.members.table}
          items={rows}
          query={query}
          rowHeight={rowHeight}
          renderItem={(member, tabIndex) => <Row member={member} tabIndex={tabIndex} />}
        />
      </div>
    </>
  );
}

/** Scrolls to the member of a link. */
function useFirstReveal(): void {
  const { handle } = useMembers('list');
  const { member } = useMembers('selected');
  const isFirst = useRef(true);
  const selected = member?.id;
  useEffect(() => {
    if (isFirst.current && selected !== undefined) handle.current?.reveal(selected);
    isFirst.current = false;
  }, [selected, handle]);
}
