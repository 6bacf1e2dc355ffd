import type { InvitationItem } from '@swarmdeck/bff/contract';
import type { StartOptions } from '../../../data/actions/action-store.ts';
import { useActionRequests } from '../../../data/actions/actions.ts';
import { ActionDialog, selectionCommands, type BulkCommand, type Items } from '../../../bulk/commands.tsx';
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

function actionOn(kind: CommandKind, invitations: readonly InvitationItem[]): StartOptions {
  if (kind === 'invite_again') return { kind, about: {}, items: invitations.map(itemOf) };
  const whatItIs = ({ is_later_end }: InvitationItem) => is_later_end && { is_later_end };
  return { kind, about: {}, items: invitations.map((each) => ({ ...itemOf(each), ...whatItIs(each) })) };
}

export function useStartOnInvitations(): StartOnInvitations {
  const { start } = useActionRequests();
  return (kind, invitations) => void start(actionOn(kind, invitations));
}

const command = (kind: CommandKind): Omit<BoardCommand, 'id' | 'icon' | 'isDangerous'> => {
  const texts = () => t.board.commands[kind];
  return {
    kind,
    texts,
    usesFilter: true,
    lines: (invitation, start) => [{ label: texts().row_of(invitation.to), run: () => start(kind, [invitation]) }],
    Dialog: (dialog) => (
      <ActionDialog
        dialog={dialog}
        about={kind}
        actionOf={(invitations, of) => actionOn(of, invitations)}
        Summary={Summary}
      />
    ),
  };
};

/** By their ids, in the order of the buttons and menus. */
export const selectedInvitationCommands = selectionCommands<'invitation_selection', ReturnType<typeof command>>(
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
