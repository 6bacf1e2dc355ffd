import type { ReactNode } from 'react';
import { endOf, type ChosenEnd } from '../../../shared/ends/end-choices.ts';
import { EndTime } from '../../../shared/ends/until-date.tsx';
import { joinList } from '../../../text/formats.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Button, type ButtonLook } from '../../../ui/buttons/button.tsx';
import { PageFoot } from '../../../ui/pages/page-foot.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { useNow } from '../../../ui/texts/time.tsx';
import type { Invite } from './use-invite.ts';

/** A sentence about what will be sent, and the buttons beside it. */
export function InviteFoot({ invite, children }: { invite: Invite; children: ReactNode }) {
  const { swarm, codes, end } = invite;
  return (
    <PageFoot className="line invite-foot">
      <p className="invite-sentence">
        <Sentence swarm={swarm} codes={codes} end={end} />
      </p>
      {children}
    </PageFoot>
  );
}

export function SendButton({ invite, wide }: { invite: Invite } & Pick<ButtonLook, 'wide'>) {
  const { swarm, codes, sending, message } = invite;
  const count = codes.counts.to_send;
  const isPossible = swarm && count > 0 && !codes.isReading && codes.columns.open === 0 && !message.isTooLong;
  return (
    <Button
      look="primary"
      wide={wide}
      disabled={!isPossible}
      focusableWhenDisabled
      sends
      busy={sending.running}
      onClick={sending.send}
    >
      {t.invite.send(count)}
    </Button>
  );
}

/** Until when the devices are invited, by the clock. Nothing without an end, or while none is entered. */
function Until({ chosen }: { chosen: ChosenEnd }) {
  const end = endOf(chosen, useNow());
  if (chosen.choice === 'none' || Number.isNaN(end)) return null;
  return (
    <Rich
      text={t.invite.sentence_until}
      date={
        <b>
          <EndTime at={new Date(end).toISOString()} />
        </b>
      }
    />
  );
}

function Sentence({ swarm, codes, end }: Pick<Invite, 'swarm' | 'codes' | 'end'>) {
  const { counts } = codes;
  const { open } = codes.columns;
  const count = counts.to_send;
  if (!swarm) return t.invite.sentence_no_swarm;
  if (open > 0) return t.invite.sentence_columns(open);
  if (count === 0) return t.invite.sentence_nothing;
  const named = (['producer', 'consumer', 'both'] as const).filter((each) => counts.roles[each] > 0);
  const role =
    named.length > 1
      ? joinList(named.map((each) => t.invite.sentence_role(t.shell.roles[each], formatNumber(counts.roles[each]))))
      : named[0] && t.roles_in_sentences[named[0]];
  const leftOut = counts.left_out + counts.malformed;
  return (
    <>
      <Rich
        text={t.invite.sentence(count, counts.people)}
        count={<b>{t.invite.sentence_count(count)}</b>}
        role={<b>{role}</b>}
        swarm={<Bdi>{swarm.name}</Bdi>}
      />{' '}
      <Until chosen={end.value} /> {counts.again > 0 && t.invite.sentence_again(counts.again)}{' '}
      {counts.kept > 0 && t.invite.sentence_kept(counts.kept)} {leftOut > 0 && t.invite.sentence_left(leftOut)}{' '}
      {t.invite.sentence_end}
    </>
  );
}
