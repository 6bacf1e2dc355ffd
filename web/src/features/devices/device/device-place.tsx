import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { Device } from '@swarmdeck/bff/contract';
import { deviceQuery } from '../../../data/cache/device-query.ts';
import { useTrack } from '../../../data/cache/track.ts';
import { roundPosition, t } from '../../../text/text.ts';
import type { MapUrlView } from '../../../ui/urls/map-view-url.ts';
import { pinned, touch, useMedia } from '../../../ui/browser/media.ts';
import { PositionFacts, type Reported } from '../../../ui/symbols/position-facts.tsx';
import { TrackSlider } from '../../../ui/symbols/track-slider.tsx';
import { readPosition, writePosition } from '../form/coordinates.ts';
import { PlaceSearch } from '../form/place-search.tsx';
import { PositionMapProvider } from './device-parts.ts';
import { useDevice } from './device-state.ts';

/** Selects what the map and the facts show of a device beside its resource. */
const reportOf = (device: Device | null) => ({
  phone: device?.phone,
  isSilent: device?.presence.state === 'silent',
});

/** The position as a marker, which edits the same draft as the number fields. `map`: of the position. */
export function DevicePlace({ map }: { map: ReactNode }) {
  const { resource } = useDevice('shown');
  const { isTypable: isOwn } = useDevice('again');
  const { draft, changed, change } = useDevice('draft');
  const { q, search, isPlacing: isChosen, stop, lastView, keepView } = useDevice('placing');
  const [place, setPlace] = useState<MapUrlView | null>(null);
  const track = useTrack(resource);
  const { phone, isSilent = false } = useQuery({ ...deviceQuery(resource.id), select: reportOf }).data ?? {};
  const { latitude, longitude } = draft;
  // It is the same object until the position changes, because a new one would move the map.
  const position = useMemo(() => readPosition({ latitude, longitude }) ?? null, [latitude, longitude]);
  // What was reported is about the stored position.
  const reported: Reported = changed.includes('position') ? {} : { ...resource, phone };
  const isPlacing = isOwn && (isChosen || !position);
  return (
    <div className="stack device-map">
      {isPlacing && <PlaceSearch q={q} onSearch={search} onGo={(view) => setPlace({ ...view })} />}
      <PositionMapProvider
        position={position}
        machine_type={draft.machine_type ?? resource.machine_type}
        name={resource.name}
        onChange={(to) => change({ ...draft, ...writePosition(roundPosition(to)) })}
        readOnly={!isOwn}
        isSilent={isSilent}
        placing={isChosen}
        place={place}
        lastView={lastView}
        onView={keepView}
        track={track}
        accuracy={reported.accuracy}
        onPlaced={stop}
      >
        {map}
      </PositionMapProvider>
      <PositionFacts {...reported} />
      {track && <TrackSlider {...track} />}
      {isOwn && <PlaceHint isPlacing={isPlacing} />}
    </div>
  );
}

/** How the marker is moved, or a place is chosen. */
function PlaceHint({ isPlacing }: { isPlacing: boolean }) {
  const onTouch = useMedia(touch);
  const isPinned = useMedia(pinned);
  const { isPlacing: isChosen } = useDevice('placing');
  const { placing, page } = t.device;
  const [hint, hintOnTouch] = isPlacing ? [placing.hint, placing.hint_touch] : [page.drag, page.drag_touch];
  return <p className="quiet">{isPinned && isChosen ? placing.hint_pinned : onTouch ? hintOnTouch : hint}</p>;
}
