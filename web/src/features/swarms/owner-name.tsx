import { t } from '../../text/text.ts';
import { Bdi } from '../../ui/bidi.tsx';
import { Rich } from '../../ui/rich.tsx';

/** "by you", "by gauge-office": stands beside a swarm's name wherever it is shown. */
export function OwnerName({ owner, mine }: { owner: string; mine: boolean }) {
  return (
    <span className="owner-name">
      <Rich text={t.swarms.by} owner={mine ? t.swarms.you : <Bdi>{owner}</Bdi>} />
    </span>
  );
}
