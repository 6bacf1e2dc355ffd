import { formatNumber, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { words } from '../swarm-words.ts';
import type { Invite } from './use-invite.ts';

const text = words.inviting;

/** One sentence saying exactly what will happen, beside the button that does it. */
export function InviteFoot({ invite, backTo, phone }: { invite: Invite; backTo: string; phone: boolean }) {
  const { ready, running, swarm } = invite;
  return (
    <footer className="invite-foot">
      <p className="invite-sentence">
        <Sentence invite={invite} />
      </p>
      {!phone && <ButtonLink to={backTo}>{words.cancel}</ButtonLink>}
      <Button
        look="primary"
        wide={phone}
        disabled={ready === 0 || !swarm || invite.messageFault}
        busy={running}
        onClick={invite.send}
      >
        {text.send(ready, formatNumber(ready))}
      </Button>
    </footer>
  );
}

function Sentence({ invite }: { invite: Invite }) {
  const { counts, ready, swarm, role } = invite;
  if (!swarm) return text.sentence_no_swarm;
  if (ready === 0) return text.sentence_nothing;
  const left = counts.left_out + counts.malformed;
  return (
    <>
      <Rich
        text={text.sentence(ready, counts.people, formatNumber(counts.people))}
        count={<b>{text.sentence_count(ready, formatNumber(ready))}</b>}
        role={<b>{t.shell.roles[role]}</b>}
        swarm={<Bdi>{swarm.name}</Bdi>}
      />
      {counts.again > 0 && text.sentence_again(counts.again, formatNumber(counts.again))}.{' '}
      {left > 0 && text.sentence_left(left, formatNumber(left))} {text.sentence_end}
    </>
  );
}
