import { Bdi } from '../../ui/bidi.tsx';
import { Rich } from '../../ui/rich.tsx';
import { words } from './swarm-words.ts';

/** "by you", "by gauge-office": stands beside a swarm's name wherever it is shown. */
export function OwnerName({ owner, mine }: { owner: string; mine: boolean }) {
  return (
    <span className="owner-name">
      <Rich text={words.by} owner={mine ? words.you : <Bdi>{owner}</Bdi>} />
    </span>
  );
}
