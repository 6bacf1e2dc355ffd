import { useState } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { send } from '../../../data/client.ts';
import { useChange } from '../../../data/use-change.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ActionError } from '../../../ui/form-error.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';

/** Rejects all requests of a user to join a swarm, and does not let the user ask again. */
export function BlockUser({ item: { from, swarm } }: { item: InvitationItem }) {
  const [isOpen, setOpen] = useState(false);
  const block = useChange(() => send({ method: 'PUT', path: `/api/swarms/${swarm.id}/blocked-users/${from}` }), {
    type: 'blocked_users.changed',
    data: { swarm_id: swarm.id },
  });
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {t.invitations.block}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={<Rich text={t.invitations.block_title} from={<Bdi>{from}</Bdi>} />}
          description={<Rich text={t.invitations.block_text} swarm={<Bdi>{swarm.name}</Bdi>} />}
          confirm={t.invitations.block_confirm}
          busy={block.isPending}
          onConfirm={() => block.mutate(undefined, { onSuccess: () => setOpen(false) })}
          onClose={() => setOpen(false)}
        >
          <ActionError error={block.error} />
        </ConfirmDialog>
      )}
    </>
  );
}
