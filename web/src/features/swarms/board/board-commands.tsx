import type { InvitationItem } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../../../data/actions/actions.ts';
import { createBulkCommand, selectionCommands, type BulkCommand, type Items } from '../../../bulk/commands.tsx';
import { CountList, countGroups } from '../../../shared/count-list.tsx';
import { t } from '../../../text/text.ts';

type BoardTexts = (typeof t)['board']['commands'];
type CommandKind = keyof BoardTexts;

/** Starts an action on invitations. */
type StartOnInvitations = (kind: CommandKind, invitations: readonly InvitationItem[]) => void;

/** A command on invitations without an answer: on one of them, on the selected ones, or on all that are stale. */
export interface BoardCommand extends BulkCommand<InvitationItem, StartOnInvitations> {
  kind: CommandKind;
  texts(): BoardTexts[CommandKind];
}

const itemOf = ({ id, to, other_id }: InvitationItem) => ({ id, name: to, ...(other_id && { other_id }) });

export function useStartOnInvitations(): StartOnInvitations {
  const { start } = useActionRequests();
  return (kind, invitations) => {
    const options = { about: {}, items: invitations.map(itemOf) };
    void start(kind === 'withdraw' ? { kind, ...options } : { kind, ...options });
  };
}

const command = (kind: CommandKind): Omit<BoardCommand, 'id' | 'icon' | 'isDangerous'> => {
  const texts = () => t.board.commands[kind];
  const bulk = createBulkCommand<InvitationItem, object, CommandKind, StartOnInvitations>({
    kind,
    texts,
    Summary,
    itemOf,
    lines: (invitation, start) => [{ label: texts().row_of(invitation.to), run: () => start(kind, [invitation]) }],
  });
  return { ...bulk, kind, texts };
};

/** By their ids, in the order of the buttons and menus. */
export const boardCommands = selectionCommands<'invitation_selection', ReturnType<typeof command>>(
  'invitation_selection',
  {
    invite_again: command('invite_again'),
    withdraw: command('withdraw'),
  },
);

/** Whose invitations they are. */
function Summary({ items }: Items<InvitationItem>) {
  const recipients = countGroups(items.map(({ to }) => ({ id: to, name: to })));
  return (
    <div>
      {t.bulk.recipients}
      <CountList groups={recipients} line={t.bulk.invitation_line} />
    </div>
  );
}
