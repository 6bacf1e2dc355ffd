import { useRef, useState, type ComponentProps, type FC } from 'react';
import type { InvitationItem, InvitationPage } from '@swarmdeck/bff/contract';
import { BulkDialog, SelectionMenu } from '../../../bulk/bulk-dialog.tsx';
import type { BulkCommand } from '../../../bulk/commands.tsx';
import { SelectionBar } from '../../../bulk/selection-bar.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { useCommands } from '../../../ui/keys/keys-provider.tsx';
import { pageFoot } from '../../../ui/pages/page-foot.tsx';
import { PagedList } from '../../../ui/lists/paged-list.tsx';
import { useRowHeight, type RowHeights } from '../../../ui/lists/row-height.ts';
import { useFocusRestore } from '../../../ui/browser/use-focus-restore.ts';
import type { VirtualListHandle } from '../../../ui/lists/list-sections.ts';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { selectedInvitationCommands } from './selected-invitation-commands.tsx';
import type { BoardRowProps } from './board-row.tsx';
import { useBoardSelection } from './use-board-selection.ts';
import '../../../ui/lists/table.css';
import './board.css';

/** What differs between a phone and a desk. */
export interface BoardLayout {
  rowHeights: RowHeights;
  Columns: FC<BoardColumnsProps>;
  Row: FC<BoardRowProps>;
  /** Beside the filters. */
  MoreTools: FC;
}

export interface BoardColumnsProps {
  /** The bar of the selection is shown. */
  isSelecting: boolean;
  /** How many invitations can be selected. */
  total: number;
  onAll(): void;
}

interface BoardListProps {
  layout: BoardLayout;
  rows: InvitationItem[];
  first: Omit<InvitationPage, 'at'>;
  /** The state filter. */
  state: keyof InvitationPage['counts'] | undefined;
  /** The text of the search. */
  q: string;
  query: ComponentProps<typeof PagedList>['query'];
  selection: Pick<Parameters<typeof useBoardSelection>[0], 'stored' | 'update'>;
}

/** The table of sent invitations, with actions on the selected ones. */
export function BoardList({ layout, rows, first, state, q, query, selection }: BoardListProps) {
  const { rowHeights, Columns, Row } = layout;
  const { swarm } = useShownSwarm();
  const handle = useRef<VirtualListHandle>(null);
  const among = state === 'stale' ? 'stale' : 'new';
  const total = state === 'accepted' || state === 'rejected' ? 0 : first.counts[among];
  const { checked, check, read } = useBoardSelection({
    swarm_id: swarm.id,
    rows,
    state: among,
    q,
    total,
    ...selection,
  });
  const { count, isActive } = checked;
  const { toggle, clear } = check;
  const [opened, setOpened] = useState<BulkCommand<InvitationItem> | null>(null);
  // A command removes the bar of the selection together with its dialog.
  const focusRestore = useFocusRestore(() => handle.current?.focus());
  useCommands('board', {
    next: () => handle.current?.step(1),
    previous: () => handle.current?.step(-1),
    select: ({ shiftKey }) => {
      const id = handle.current?.focused();
      const item = rows.find((row) => row.id === id);
      if (item?.status === 'new') toggle(item.id, shiftKey);
    },
    select_all: total > 0 && check.all,
    clear,
  });
  return (
    <section className="box column board-box" aria-label={t.board.title} {...focusRestore}>
      {isActive && (
        <SelectionBar checked={checked} check={check} list={handle}>
          <SelectionMenu
            commands={selectedInvitationCommands}
            count={count}
            scope="invitation_selection"
            onOpen={setOpened}
          />
        </SelectionBar>
      )}
      <div role="table" aria-label={t.board.title} aria-rowcount={first.total + 1} className="board-table">
        <Columns isSelecting={isActive} total={total} onAll={check.all} />
        <PagedList
          isTable
          className="board-rows"
          handle={handle}
          keepPlace
          label={t.board.title}
          items={rows}
          query={query}
          rowHeight={useRowHeight(rowHeights)}
          renderItem={(invitation, tabIndex) => (
            <Row
              invitation={invitation}
              tabIndex={tabIndex}
              isStale={invitation.status === 'new' && invitation.sent_at < first.stale_before}
              isChecked={checked.has(invitation.id)}
              onToggle={(range) => toggle(invitation.id, range)}
            />
          )}
        />
      </div>
      <footer ref={pageFoot} className="board-foot quiet numbers">
        <span>{t.board.of(formatNumber(rows.length), formatNumber(first.total))}</span>
        <span>{t.board.names}</span>
      </footer>
      {opened && (
        <BulkDialog
          count={count}
          read={read}
          selection={checked.selection}
          command={opened}
          onRun={clear}
          onClose={() => setOpened(null)}
        />
      )}
    </section>
  );
}
