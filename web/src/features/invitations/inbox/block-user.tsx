import type { InvitationItem } from '@swarmdeck/bff/contract';
import { send } from '../../../data/client.ts';
import { pathTo } from '../../../data/path-to.ts';
import { useChange } from '../../../data/use-change.ts';
import { t } from '../../../text/text.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { ActionError } from '../../../ui/fields/form-error.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';

interface BlockUserProps {
  item: InvitationItem;
  onClose(): void;
}

/** The dialog that rejects all requests of a user to join a swarm, and does not let the user ask again. */
export function BlockUser({ item: { from, swarm }, onClose }: BlockUserProps) {
  const block = useChange(
    () => send({ method: 'PUT', path: pathTo('/api/swarms/:id/blocked-users/:from', { id: swarm.id, from }) }),
    {
      type: 'blocked_users.changed',
      data: { swarm_id: swarm.id },
    },
  );
  return (
    <ConfirmDialog
      title={<Rich text={t.invitations.block_title} from={<Bdi>{from}</Bdi>} />}
      description={<Rich text={t.invitations.block_text} swarm={<Bdi>{swarm.name}</Bdi>} />}
      confirm={t.invitations.block_confirm}
      busy={block.isPending}
      onConfirm={() => block.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <ActionError error={block.error} />
    </ConfirmDialog>
  );
}
