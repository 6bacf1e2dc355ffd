import { useMemo, useState } from 'react';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { atTextSize } from '../../../ui/browser/media.ts';
import { InviteCheck, inOrder, needsLook } from './invite-check-box.tsx';
import { InviteFoot, SendButton } from './invite-foot.tsx';
import type { InviteLayout } from './invite-layout.ts';
import { InviteResult } from './invite-result.tsx';
import type { Invite } from './use-invite.ts';

/** In the form on a phone, below the codes. Nothing while there are none. */
function PhoneOutcome({ invite: { codes, sending, swarm } }: { invite: Invite }) {
  if (sending.action) return <InviteResult sending={sending} lines={codes.lines} />;
  return codes.checked.length > 0 && <PhoneCheck codes={codes} swarm={swarm} />;
}

/** Lines that are ready are listed on request. */
function PhoneCheck({ codes, swarm }: Pick<Invite, 'codes' | 'swarm'>) {
  const { checked } = codes;
  const [isWhole, setWhole] = useState(false);
  const shown = useMemo(() => (isWhole ? inOrder(checked) : needsLook(checked)), [checked, isWhole]);
  return (
    <InviteCheck codes={codes} swarm={swarm} shown={shown} rowHeight={atTextSize(96)}>
      {shown.length < checked.length && (
        <Button wide look="quiet" onClick={() => setWhole(true)}>
          {t.invite.show_ready(checked.length - shown.length)}
        </Button>
      )}
    </InviteCheck>
  );
}

/** The link back is in the header. */
function PhoneFoot({ invite }: { invite: Invite }) {
  return (
    <InviteFoot invite={invite}>
      <SendButton invite={invite} wide />
    </InviteFoot>
  );
}

export const phoneLayout: InviteLayout = {
  title: () => t.invite.short_title,
  UnderCodes: PhoneOutcome,
  BesideForm: () => null,
  Foot: PhoneFoot,
};
