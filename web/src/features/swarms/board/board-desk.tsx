import { t } from '../../../text/text.ts';
import { ButtonLink } from '../../../ui/buttons/button.tsx';
import { RowCheckbox } from '../../../ui/lists/row-checkbox.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { selectedInvitationCommands } from './selected-invitation-commands.tsx';
import type { BoardColumnsProps, BoardLayout } from './board-list.tsx';
import { ActionsCell, CommandButton } from './board-row-actions.tsx';
import { AgeCell, BoardRowFrame, DeviceName, RoleCell, StateCell, ToCell, type BoardRowProps } from './board-row.tsx';

/** The bar of the selection covers the headings. */
function Columns({ isSelecting, total, onAll }: BoardColumnsProps) {
  const { columns } = t.board;
  return (
    <div role="row" className={isSelecting ? 'visually-hidden' : 'quiet columns board-columns'}>
      <span role="columnheader" className="board-checkbox">
        {total > 0 && !isSelecting ? (
          <RowCheckbox label={t.board.select_all} checked={false} onToggle={onAll} />
        ) : (
          <span className="visually-hidden">{t.members.selected}</span>
        )}
      </span>
      <span role="columnheader">{columns.state}</span>
      <span role="columnheader">{columns.to}</span>
      <span role="columnheader">{columns.device}</span>
      <span role="columnheader">{columns.role}</span>
      <span role="columnheader" className="board-age">
        {columns.age}
      </span>
      <span role="columnheader" className="board-message one-line">
        {columns.message}
      </span>
      <span role="columnheader" className="visually-hidden">
        {t.members.actions}
      </span>
    </div>
  );
}

/** In one line. */
function Row(row: BoardRowProps) {
  const { description } = row.invitation;
  return (
    <BoardRowFrame row={row}>
      <StateCell {...row} />
      <ToCell {...row} />
      <span role="cell" className="board-device one-line">
        <DeviceName {...row} />
      </span>
      <RoleCell {...row} />
      <AgeCell {...row} />
      <span role="cell" className="board-message one-line" title={description}>
        {description ? (
          <Bdi className="one-line">
            <Rich text={t.invitations.facts.quote} message={description} />
          </Bdi>
        ) : (
          t.board.no_message
        )}
      </span>
      <ActionsCell
        row={row}
        open={Object.values(selectedInvitationCommands).map((command, index) => (
          <CommandButton key={command.id} row={row} command={command} look={index === 0 ? 'accent' : 'quiet'} />
        ))}
      />
    </BoardRowFrame>
  );
}

/** Invites many at once, by a file. */
function InviteMany() {
  const { swarm } = useShownSwarm();
  return <ButtonLink to={`/invite?swarm=${swarm.id}&csv=1`}>{t.board.many}</ButtonLink>;
}

export const deskLayout: BoardLayout = { rowHeights: { base: 48, touch: 56 }, Columns, Row, MoreTools: InviteMany };
