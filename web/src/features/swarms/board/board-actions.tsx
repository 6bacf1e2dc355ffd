import type { InvitationItem } from '@swarmdeck/bff/contract';
import { CountList, countGroups } from '../../../bulk/count-list.tsx';
import { createListAction, type BulkAction, type Items } from '../../../bulk/list-action.tsx';
import { t } from '../../../text/text.ts';

export type SentKind = 'invite_again' | 'withdraw';

export const sentItem = ({ id, to, other_id }: InvitationItem) => ({ id, name: to, ...(other_id && { other_id }) });

/** The menu of the selected invitations, in its order. */
export const boardActions: readonly BulkAction<InvitationItem>[] = [
  createListAction<InvitationItem, object, SentKind>({
    name: 'send_again',
    kind: 'invite_again',
    texts: () => t.bulk.invitation_actions.send_again,
    icon: 'send',
    initial: {},
    Summary,
    aboutOf: () => ({}),
    itemOf: sentItem,
  }),
  createListAction<InvitationItem, object, SentKind>({
    name: 'withdraw',
    kind: 'withdraw',
    texts: () => t.bulk.invitation_actions.withdraw,
    icon: 'trash',
    isDangerous: true,
    initial: {},
    Summary,
    aboutOf: () => ({}),
    itemOf: sentItem,
  }),
];

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
