import { useMemo } from 'react';
import { t } from '../../../text/text.ts';
import { ButtonLink } from '../../../ui/buttons/button.tsx';
import { atTextSize } from '../../../ui/browser/media.ts';
import { InviteCheck, inOrder } from './invite-check-box.tsx';
import { InviteFoot, SendButton } from './invite-foot.tsx';
import type { InviteLayout } from './invite-layout.ts';
import { InviteResult } from './invite-result.tsx';
import type { Invite } from './use-invite.ts';

/** Beside the form on a desk: the check of all lines, or what has become of them. */
function DeskOutcome({ invite: { codes, sending, swarm } }: { invite: Invite }) {
  const { checked } = codes;
  const shown = useMemo(() => inOrder(checked), [checked]);
  if (sending.action) return <InviteResult sending={sending} lines={codes.lines} />;
  return <InviteCheck codes={codes} swarm={swarm} shown={shown} rowHeight={atTextSize(52)} />;
}

function DeskFoot({ invite, backTo }: { invite: Invite; backTo: string }) {
  const { swarm, sending } = invite;
  return (
    <InviteFoot invite={invite}>
      <ButtonLink to={backTo}>{sending.action && swarm ? t.invite.to_swarm : t.shell.kit.cancel}</ButtonLink>
      <SendButton invite={invite} />
    </InviteFoot>
  );
}

export const deskLayout: InviteLayout = {
  title: () => t.invite.title,
  UnderCodes: () => null,
  BesideForm: DeskOutcome,
  Foot: DeskFoot,
};
