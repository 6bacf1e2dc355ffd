import { t } from '../../text/text.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TruncateMiddle } from '../../ui/truncate-middle.tsx';
import type { WallSwarm } from './wall-props.ts';

/** The title of the wall. The name of its swarm may still be loading. */
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
