import { useQuery } from '@tanstack/react-query';
import { resourceQuery } from '../features/resources/resource.api.ts';
import { wallUrl } from '../features/wall/wall-layers.ts';
import { SavedViewsButton } from '../features/saved-views/saved-views.tsx';
import type { RenderWallMap } from '../features/wall/use-wall.ts';
import { Wall, type WallProps } from '../features/wall/wall-page.tsx';
import { lazyPart } from '../ui/lazy.tsx';
import { phone as phoneQuery, useMedia } from '../ui/media.ts';
import { useUrlState } from '../ui/url-state.ts';

const DeviceMap = lazyPart(async () => (await import('../features/map/device-map.tsx')).DeviceMap);

const renderMap: RenderWallMap = (props) => <DeviceMap {...props} legend={false} names />;

/** A wall with its map, and with the events of the selected device. */
export function WallRoute(props: Pick<WallProps, 'audience' | 'swarm' | 'leaveTo'>) {
  const [{ selected }] = useUrlState(wallUrl);
  const liveDevice = useQuery({ ...resourceQuery(selected ?? ''), enabled: selected !== null }).data?.resource;
  const phone = useMedia(phoneQuery);
  const views = <SavedViewsButton swarms={props.swarm?.name ? [props.swarm] : []} look={phone ? 'quiet' : 'plain'} />;
  return <Wall key={props.audience} {...props} liveDevice={liveDevice} views={views} renderMap={renderMap} />;
}

export function Component() {
  return <WallRoute audience="visible" swarm={null} leaveTo="/" />;
}
