import { t } from '../../text/text.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TruncateMiddle } from '../../ui/truncate-middle.tsx';
import type { WallSwarm } from './wall-props.ts';

/** Whose devices these are. The name of a swarm may be on its way. */
export function WallTitle({ swarm }: { swarm: WallSwarm | null }) {
  if (!swarm) return <h1>{t.wall.everything}</h1>;
  return (
    <h1>
      {swarm.name === '' ? (
        <>
          <span className="visually-hidden">{t.shell.loading}</span>
          <Skeleton width="140px" height="14px" />
        </>
      ) : (
        <TruncateMiddle text={swarm.name} />
      )}
    </h1>
  );
}
