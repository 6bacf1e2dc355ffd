import { useRef, type ComponentProps } from 'react';
import type { InvitationItem, InvitationPage, SwarmItem } from '@swarmdeck/bff/contract';
import { SelectionMenu } from '../../../bulk/bulk-dialog.tsx';
import { SelectionBar } from '../../../bulk/selection-bar.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { RowCheckbox } from '../../../ui/checkbox.tsx';
import { useCommands } from '../../../ui/keys-provider.tsx';
import { atTextSize, largeText, touch, useMedia } from '../../../ui/media.ts';
import { PagedList } from '../../../ui/paged-list.tsx';
import type { VirtualListHandle } from '../../../ui/virtual-list.tsx';
import { useBoardCommands } from './board-commands.tsx';
import { BoardRow } from './board-row.tsx';
import { useBoardSelection } from './use-board-selection.ts';
import '../../../ui/table.css';
import './board.css';

interface BoardListProps {
  swarm: SwarmItem;
  phone: boolean;
  rows: InvitationItem[];
  first: Omit<InvitationPage, 'at'>;
  /** The state filter. */
  state: keyof InvitationPage['counts'] | undefined;
  /** The text of the search. */
  q: string;
  query: ComponentProps<typeof PagedList>['query'];
}

/** The list of sent invitations, with actions on the selected ones. */
export function BoardList({ swarm, phone, rows, first, state, q, query }: BoardListProps) {
  const tall = useMedia(touch);
  const isLarge = useMedia(largeText);
  const commands = useBoardCommands();
  const handle = useRef<VirtualListHandle>(null);
  const among = state === 'stale' ? 'stale' : 'new';
  const total = state === 'accepted' || state === 'rejected' ? 0 : first.counts[among];
  const selection = useBoardSelection({ swarm_id: swarm.id, rows, state: among, q, total });
  useCommands('board', {
    next: () => handle.current?.step(1),
    previous: () => handle.current?.step(-1),
    select: ({ shiftKey }) => {
      const id = handle.current?.focused();
      const item = rows.find((row) => row.id === id);
      if (item?.status === 'new') selection.toggle(item.id, shiftKey);
    },
    clear: selection.clear,
  });
  return (
    <section className="box column board-box" aria-label={t.board.title}>
      {selection.isActive ? (
        <SelectionBar selection={selection} list={handle}>
          <SelectionMenu {...selection} commands={commands} onRun={selection.clear} />
        </SelectionBar>
      ) : (
        !phone && <Columns total={total} onAll={selection.selectAll} />
      )}
      <PagedList
        className="board-rows"
        handle={handle}
        keepPlace
        label={t.board.title}
        items={rows}
        query={query}
        rowHeight={atTextSize(phone ? (isLarge ? 140 : 76) : tall ? 56 : 48)}
        renderItem={(invitation, tabIndex) => (
          <BoardRow
            {...{ invitation, swarm, phone, tabIndex, commands }}
            stale={invitation.status === 'new' && invitation.sent_at < first.stale_before}
            checked={selection.has(invitation.id)}
            onToggle={(range) => selection.toggle(invitation.id, range)}
          />
        )}
      />
      <footer className="board-foot quiet numbers">
        <span>{t.board.of(formatNumber(rows.length), formatNumber(first.total))}</span>
        <span>{t.board.names}</span>
      </footer>
    </section>
  );
}

function Columns({ total, onAll }: { total: number; onAll(): void }) {
  return (
    <div className="quiet columns board-columns">
      <span className="board-checkbox">
        {total > 0 && <RowCheckbox label={t.board.select_all} checked={false} onToggle={onAll} />}
      </span>
      <span aria-hidden="true">{t.board.columns.state}</span>
      <span aria-hidden="true">{t.board.columns.to}</span>
      <span aria-hidden="true">{t.board.columns.device}</span>
      <span aria-hidden="true">{t.board.columns.role}</span>
      <span aria-hidden="true" className="board-age">
        {t.board.columns.age}
      </span>
      <span aria-hidden="true" className="board-message one-line">
        {t.board.columns.message}
      </span>
    </div>
  );
}
