import { RowMenu } from '../../../bulk/row-menu.tsx';
import { t } from '../../../text/text.ts';
import { selectedInvitationCommands, useStartOnInvitations } from './selected-invitation-commands.tsx';
import type { BoardLayout } from './board-list.tsx';
import { ActionsCell, CommandButton } from './board-row-actions.tsx';
import { AgeCell, BoardRowFrame, DeviceName, RoleCell, StateCell, ToCell, type BoardRowProps } from './board-row.tsx';

/** There is no space for headings, but a screen reader says them. */
function Columns() {
  const { columns } = t.board;
  return (
    <div role="row" className="visually-hidden">
      <span role="columnheader">{t.members.selected}</span>
      <span role="columnheader">{columns.to}</span>
      <span role="columnheader">{columns.device}</span>
      <span role="columnheader">{columns.age}</span>
      <span role="columnheader">{columns.state}</span>
      <span role="columnheader">{columns.role}</span>
      <span role="columnheader">{t.members.actions}</span>
    </div>
  );
}

const { invite_again: first, ...more } = selectedInvitationCommands;
const others = Object.values(more);

/** In two lines. The first command is a button, the others are in a menu. */
function Row(row: BoardRowProps) {
  const { invitation, tabIndex } = row;
  return (
    <BoardRowFrame row={row}>
      <span className="line board-line">
        <span className="board-who">
          <ToCell {...row} />{' '}
          <span role="cell" className="board-what">
            · <DeviceName {...row} />
          </span>
        </span>
        <AgeCell {...row} />
      </span>
      <span className="line board-line">
        <StateCell {...row} />
        <RoleCell {...row} />
        <ActionsCell
          row={row}
          open={
            <>
              <CommandButton row={row} command={first} look="accent" />
              <RowMenu
                commands={others}
                item={invitation}
                context={useStartOnInvitations()}
                label={t.board.actions_of(invitation.to)}
                tabIndex={tabIndex}
              />
            </>
          }
        />
      </span>
    </BoardRowFrame>
  );
}

export const phoneLayout: BoardLayout = {
  rowHeights: { base: 76, largeText: 140 },
  Columns,
  Row,
  MoreTools: () => null,
};
