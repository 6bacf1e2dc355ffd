import type { ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { usePending } from '../../../data/actions/shown-actions.ts';
import { userOf } from '../../../data/of-client.ts';
import { serverNow } from '../../../data/server-clock.ts';
import { UndoButton } from '../../../shared/actions/undo-button.tsx';
import { t } from '../../../text/text.ts';
import { Button, ButtonLink, type ButtonLook } from '../../../ui/buttons/button.tsx';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { keepTerms } from '../invite/use-invite-terms.ts';
import { useStartOnInvitations, type BoardCommand } from './selected-invitation-commands.tsx';
import type { BoardRowProps } from './board-row.tsx';

interface ActionsCellProps {
  row: BoardRowProps;
  /** What can be done with an invitation that has no answer. */
  open: ReactNode;
}

/** The cell of what can be done with an invitation, or of the action that is pending. */
export function ActionsCell(props: ActionsCellProps) {
  return (
    <span role="cell" className="line gap-1 board-actions">
      <Actions {...props} />
    </span>
  );
}

function Actions({ row: { invitation, tabIndex }, open }: ActionsCellProps) {
  const { swarm } = useShownSwarm();
  const { id, to, device, label, resource_id, resource_type, status, description, ends_at, is_former_device } =
    invitation;
  const pending = usePending(`invitation:${id}`);
  const user_id = userOf(useQueryClient()) ?? '';
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
  if (status === 'new') return open;
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
  // Its owner does not have the device any more.
  if (is_former_device) return null;
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
      onClick={() => keepTerms({ user_id, swarm_id: swarm.id, about: { description, ends_at }, now: serverNow() })}
      aria-label={t.board.invite_again_to(to)}
    >
      {t.board.invite_again}
    </ButtonLink>
  );
}

/** A button for a command on an open invitation. */
export function CommandButton({ row, command, look }: { row: BoardRowProps; command: BoardCommand } & ButtonLook) {
  const { invitation, tabIndex } = row;
  const start = useStartOnInvitations();
  const texts = command.texts();
  return (
    <Button
      look={look}
      size="row"
      tabIndex={tabIndex}
      sends
      aria-label={texts.row_of(invitation.to)}
      onClick={() => start(command.kind, [invitation])}
    >
      {texts.row}
    </Button>
  );
}
