import type { InvitationItem } from '@swarmdeck/bff/contract';
import { useActionRequests } from '../../../data/actions/actions.ts';
import { createBulkCommand, selectionCommands, type BulkCommand, type Items } from '../../../bulk/commands.tsx';
import { CountList, countGroups } from '../../../shared/count-list.tsx';
import { t } from '../../../text/text.ts';

type BoardTexts = (typeof t)['board']['commands'];
type CommandKind = keyof BoardTexts;

/** A command on invitations without an answer: on one of them, on the selected ones, or on all that are stale. */
export interface BoardCommand extends BulkCommand<InvitationItem> {
  texts(): BoardTexts[CommandKind];
  start(invitations: readonly InvitationItem[]): void;
}

const itemOf = ({ id, to, other_id }: InvitationItem) => ({ id, name: to, ...(other_id && { other_id }) });

/** By their ids, in the order of the buttons and menus. */
export function useBoardCommands(): Readonly<Record<CommandKind, BoardCommand>> {
  const requests = useActionRequests();
  const command = (kind: CommandKind) => {
    const texts = () => t.board.commands[kind];
    const start = (invitations: readonly InvitationItem[]) => {
      const options = { about: {}, items: invitations.map(itemOf) };
      void requests.start(kind === 'withdraw' ? { kind, ...options } : { kind, ...options });
    };
    const options = createBulkCommand<InvitationItem, object, CommandKind>({
      kind,
      texts,
      Summary,
      itemOf,
      lines: (invitation) => [{ label: texts().row_of(invitation.to), run: () => start([invitation]) }],
    });
    return { ...options, texts, start };
  };
  return selectionCommands<'invitation_selection', ReturnType<typeof command>>('invitation_selection', {
    invite_again: command('invite_again'),
    withdraw: command('withdraw'),
  });
}

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
