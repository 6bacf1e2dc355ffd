import type { InvitationItem, SwarmItem } from '@swarmdeck/bff/contract';
import type { PendingItem } from '../../../api/actions.ts';
import { UndoButton } from '../../../bulk/undo-button.tsx';
import { t } from '../../../text/text.ts';
import { Button, ButtonLink, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { BoardActions } from './use-board-actions.tsx';

interface BoardRowActionsProps {
  invitation: InvitationItem;
  swarm: SwarmItem;
  actions: BoardActions;
  phone: boolean;
  pending: PendingItem | undefined;
  tabIndex: 0 | -1;
}

/** The actions on one invitation, or the one that is pending. */
export function BoardRowActions({ invitation, swarm, actions, phone, pending, tabIndex }: BoardRowActionsProps) {
  const { to, device, label, resource_id, resource_type, status } = invitation;
  if (pending) {
    return (
      <>
        <span className="board-pending one-line">
          {t.invitations.answering[pending.action.kind === 'withdraw' ? 'withdraw' : 'invite_again']}
        </span>
        <UndoButton pending={pending}>
          {t.shell.kit.undo} <span className="visually-hidden">{to}</span>
        </UndoButton>
      </>
    );
  }
  if (status === 'new') {
    const withdraw = () => actions.start('withdraw', [invitation]);
    return (
      <>
        <Button
          look="accent"
          size="row"
          tabIndex={tabIndex}
          sends
          aria-label={t.board.send_again_to(to)}
          onClick={() => actions.start('invite_again', [invitation])}
        >
          {t.board.send_again}
        </Button>
        {phone ? (
          <Menu
            label={t.board.columns.actions}
            items={[{ id: 'withdraw', label: t.board.withdraw_from(to), onSelect: withdraw }]}
            renderTrigger={(button) => (
              <IconButton icon="more" look="quiet" label={t.board.actions_of(to)} tabIndex={tabIndex} {...button} />
            )}
          />
        ) : (
          <Button
            look="quiet"
            size="row"
            sends
            tabIndex={tabIndex}
            aria-label={t.board.withdraw_from(to)}
            onClick={withdraw}
          >
            {t.board.withdraw}
          </Button>
        )}
      </>
    );
  }
  if (status === 'accepted') {
    if (!device) return null;
    if (!device.position) return <span className="board-unplaced quiet">{t.device.card.unplaced}</span>;
    return (
      <ButtonLink
        look="quiet"
        to={`/swarms/${swarm.id}?sel=${resource_id}`}
        aria-label={t.board.show_of(device.name)}
        size="small"
        tabIndex={tabIndex}
      >
        {t.board.show}
      </ButtonLink>
    );
  }
  const again = new URLSearchParams({
    ...{ swarm: swarm.id, to, resource: resource_id, role: resource_type },
    ...(label !== undefined && { label }),
  });
  return (
    <ButtonLink
      look="accent"
      size="small"
      tabIndex={tabIndex}
      to={`/invite?${again}`}
      aria-label={t.board.invite_again_to(to)}
    >
      {t.board.invite_again}
    </ButtonLink>
  );
}
