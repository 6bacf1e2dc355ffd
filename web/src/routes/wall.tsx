import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { resourceQuery } from '../features/resources/resources.api.ts';
import type { RenderWallMap } from '../features/wall/wall-map.ts';
import { Wall } from '../features/wall/wall-page.tsx';
import type { WallProps } from '../features/wall/wall-page.tsx';
import { useSearchParams } from '../ui/router.tsx';

const DeviceMap = lazy(async () => ({ default: (await import('../features/map/device-map.tsx')).DeviceMap }));

const renderMap: RenderWallMap = (props) => (
  <Suspense>
    <DeviceMap
      {...props}
      legend={false}
      names
      placing={null}
      onPlace={() => undefined}
      onPlaceCancel={() => undefined}
      version={0}
    />
  </Suspense>
);

/** A wall with its map, and with what the stream tells of the device that is selected. */
export function WallRoute(props: Pick<WallProps, 'audience' | 'swarm' | 'leaveTo'>) {
  const [params] = useSearchParams();
  const selected = params.get('sel');
  const told = useQuery({ ...resourceQuery(selected ?? ''), enabled: selected !== null }).data?.resource;
  return <Wall key={props.audience} {...props} told={told} renderMap={renderMap} />;
}

export function Component() {
  return <WallRoute audience="visible" swarm={null} leaveTo="/" />;
}
