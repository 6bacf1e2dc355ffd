import type { InvitationItem } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { deviceName } from '../device-name.ts';
import type { Answer } from '../invitations.api.ts';

/** What waits, as it is said on other pages and read aloud on this one. `first` is the only one where `total` is 1. */
export function AnswerLabel({
  answer,
  total,
  first,
}: {
  answer: Answer;
  total: number;
  first: InvitationItem | undefined;
}) {
  if (!first || total > 1) return t.invitations.waiting.many[answer](formatNumber(total));
  const { swarm } = first;
  return (
    <Rich
      text={t.invitations.waiting.one[answer]}
      swarm={<Bdi>{swarm.name}</Bdi>}
      device={<Bdi>{deviceName(first)}</Bdi>}
    />
  );
}
