import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deviceRecordQuery } from '../features/devices/device.api.ts';
import type { NamedView } from '../features/saved-views/saved-views.tsx';
import { WallState, useWall } from '../features/wall/wall-state.ts';
import {
  useFollowedDevice,
  useWallMapInput,
  useWallMapView,
  useWallSymbols,
} from '../features/wall/use-wall-map-props.ts';
import type { WallPlace } from '../features/wall/wall-place.ts';
import { wallUrl } from '../features/wall/wall-layers.ts';
import { Wall } from '../features/wall/wall-page.tsx';
import { t } from '../text/text.ts';
import { IconButton } from '../ui/buttons/button.tsx';
import { lazyPart } from '../ui/pages/lazy.tsx';
import { phone, useMedia } from '../ui/browser/media.ts';
import { useUrlState } from '../ui/urls/url-state.ts';

const DeviceMap = lazyPart(async () => (await import('../features/map/device-map.tsx')).DeviceMap);
const Follow = lazyPart(async () => (await import('../features/map/frame/follow.tsx')).Follow);
const PlacedCount = lazyPart(async () => (await import('../features/map/device-map-context.ts')).PlacedCount);
const SavedViewForm = lazyPart(async () => (await import('../features/saved-views/saved-views.tsx')).SavedViewForm);
const SavedViewsButton = lazyPart(
  async () => (await import('../features/saved-views/saved-views.tsx')).SavedViewsButton,
  { Fallback: LoadingViews },
);
const TrackLine = lazyPart(async () => (await import('../features/map/symbols/track-line.tsx')).TrackLine);

/** A wall with its map, and with the events of the selected device. */
export function WallRoute(place: WallPlace) {
  const [{ selected }] = useUrlState(wallUrl);
  const liveDevice = useQuery({ ...deviceRecordQuery(selected ?? ''), enabled: selected !== null }).data?.resource;
  const [named, setNamed] = useState<NamedView | null>(null);
  return (
    <WallState key={place.audience} {...place} liveDevice={liveDevice}>
      <Wall map={<Map />} views={<SavedViewsButton named={named} onName={setNamed} />} />
      {named && (
        <SavedViewForm named={named} swarms={place.swarm?.name ? [place.swarm] : []} onClose={() => setNamed(null)} />
      )}
    </WallState>
  );
}

/** Keeps its place. */
function LoadingViews() {
  const look = useMedia(phone) ? 'quiet' : 'plain';
  return <IconButton icon="bookmark" look={look} label={t.views.title} disabled />;
}

function Map() {
  const { follow, onFollowEnd, track } = useFollowedDevice();
  const { setMapped } = useWall('counts');
  return (
    <DeviceMap
      {...useWallSymbols()}
      {...useWallMapView()}
      {...useWallMapInput()}
      label={t.wall.map}
      legend={false}
      oneWorld
    >
      <PlacedCount onCount={setMapped} />
      {follow && <Follow position={follow} onEnd={onFollowEnd} />}
      {track && <TrackLine {...track} />}
    </DeviceMap>
  );
}

export function Component() {
  return <WallRoute audience="visible" swarm={null} leaveTo="/" />;
}
