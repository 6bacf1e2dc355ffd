import type { InvitationItem, SwarmItem } from '@swarmdeck/bff/contract';
import type { PendingItem } from '../../../data/actions/shown-actions.ts';
import { RowMenu } from '../../../bulk/row-menu.tsx';
import { UndoButton } from '../../../shared/actions/undo-button.tsx';
import { t } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import type { BoardCommand } from './board-commands.tsx';

interface BoardRowCommandsProps {
  invitation: InvitationItem;
  swarm: SwarmItem;
  commands: readonly BoardCommand[];
  phone: boolean;
  pending: PendingItem | undefined;
  tabIndex: 0 | -1;
}

/** The commands on one invitation, or the action that is pending. */
export function BoardRowCommands({ invitation, swarm, commands, phone, pending, tabIndex }: BoardRowCommandsProps) {
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
    return (
      <>
        {(phone ? commands.slice(0, 1) : commands).map(({ id, texts, start }, index) => (
          <Button
            key={id}
            look={index === 0 ? 'accent' : 'quiet'}
            size="row"
            tabIndex={tabIndex}
            sends
            aria-label={texts().row_of(to)}
            onClick={() => start([invitation])}
          >
            {texts().row}
          </Button>
        ))}
        {phone && (
          <RowMenu commands={commands.slice(1)} item={invitation} label={t.board.actions_of(to)} tabIndex={tabIndex} />
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
    swarm: swarm.id,
    to,
    resource: resource_id,
    role: resource_type,
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
