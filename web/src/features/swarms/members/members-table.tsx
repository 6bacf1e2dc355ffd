import { useEffect, useRef, type ComponentType, type ReactNode } from 'react';
import { SelectionMenu } from '../../../bulk/bulk-dialog.tsx';
import { SelectionBar } from '../../../bulk/selection-bar.tsx';
import { t } from '../../../text/text.ts';
import { PagedList } from '../../../ui/paged-list.tsx';
import { selectedMemberCommands } from './selected-member-commands.tsx';
import type { MemberRowProps } from './member-row.tsx';
import '../../../ui/table.css';
import './members-table.css';
import '../../../ui/row-link.css';
import { useShownValue } from './use-member-filters.ts';
import { useMemberList } from './use-member-list.ts';
import { useMemberSelection } from './use-member-selection.ts';
import { useMembersDialog } from './use-members-dialog.ts';
import { useSelectedMember } from './use-selected-member.ts';

interface MembersTableProps {
  /** The row of the headings. */
  head: ReactNode;
  /** In px. */
  rowHeight: number;
  Row: ComponentType<MemberRowProps>;
}

/** The table of the members. A phone has other columns than a desk. */
export function MembersTable({ head, rowHeight, Row }: MembersTableProps) {
  const { query, rows, handle } = useMemberList();
  const { isActive, total } = useMemberSelection().checked;
  const { valueKey } = useShownValue();
  useFirstReveal();
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

function SelectedMembersBar() {
  const { handle } = useMemberList();
  const { checked, check } = useMemberSelection();
  const { openForSelected } = useMembersDialog();
  return (
    <SelectionBar checked={checked} check={check} list={handle}>
      <SelectionMenu
        scope="member_selection"
        commands={selectedMemberCommands}
        count={checked.count}
        onOpen={openForSelected}
      />
    </SelectionBar>
  );
}

/** Scrolls to the member of a link. */
function useFirstReveal(): void {
  const { handle } = useMemberList();
  const { member } = useSelectedMember();
  const isFirst = useRef(true);
  const selected = member?.id;
  useEffect(() => {
    if (isFirst.current && selected !== undefined) handle.current?.reveal(selected);
    isFirst.current = false;
  }, [selected, handle]);
}
