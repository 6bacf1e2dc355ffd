import { formatNumber, t } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import type { Invite } from './use-invite.ts';

/** A sentence about what will be sent, beside the Send button. */
export function InviteFoot({ invite, backTo, phone }: { invite: Invite; backTo: string; phone: boolean }) {
  const { ready, running, swarm } = invite;
  return (
    <footer className="invite-foot">
      <p className="invite-sentence">
        <Sentence invite={invite} />
      </p>
      {!phone && <ButtonLink to={backTo}>{invite.action && swarm ? t.invite.to_swarm : t.shell.kit.cancel}</ButtonLink>}
      <Button
        look="primary"
        wide={phone}
        disabled={ready === 0 || !swarm || invite.isMessageTooLong || invite.openColumns.length > 0}
        focusableWhenDisabled
        sends
        busy={running}
        onClick={invite.send}
      >
        {t.invite.send(ready)}
      </Button>
    </footer>
  );
}

function Sentence({ invite }: { invite: Invite }) {
  const { counts, ready, swarm } = invite;
  const open = invite.openColumns.length;
  if (!swarm) return t.invite.sentence_no_swarm;
  if (open > 0) return t.invite.sentence_columns(open);
  if (ready === 0) return t.invite.sentence_nothing;
  const { producer, consumer } = counts.roles;
  const role =
    producer > 0 && consumer > 0
      ? t.invite.sentence_roles(formatNumber(producer), formatNumber(consumer))
      : t.shell.roles[producer > 0 ? 'producer' : 'consumer'];
  const left = counts.left_out + counts.malformed;
  return (
    <>
      <Rich
        text={t.invite.sentence(ready, counts.people)}
        count={<b>{t.invite.sentence_count(ready)}</b>}
        role={<b>{role}</b>}
        swarm={<Bdi>{swarm.name}</Bdi>}
      />{' '}
      {counts.again > 0 && t.invite.sentence_again(counts.again)} {left > 0 && t.invite.sentence_left(left)}{' '}
      {t.invite.sentence_end}
    </>
  );
}
