import { t } from '../../text/text.ts';
import { Bdi } from '../../ui/bidi.tsx';
import { Rich } from '../../ui/rich.tsx';

/** "by you" or "by gauge-office", beside the name of a swarm. */
export function OwnerName({ owner, mine }: { owner: string; mine: boolean }) {
  return (
    <span className="owner-name">
      <Rich text={t.swarms.by} owner={mine ? t.swarms.you_as_owner : <Bdi>{owner}</Bdi>} />
    </span>
  );
}
