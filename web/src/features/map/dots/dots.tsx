import type { DeviceFilters } from '@swarmdeck/bff/contract';
import type { LeafletMouseEvent } from 'leaflet';
import { useMemo, useRef } from 'react';
import { useMap } from 'react-leaflet';
import type { MapColours } from '../canvas/map-colours.ts';
import { useLeafletEvents } from '../frame/use-leaflet-events.ts';
import { SLACK, isTouch } from '../frame/use-pointer.ts';
import { padded } from '../geometry/frame.ts';
import type { Frame } from '../geometry/trace.ts';
import type { Bbox } from '../geometry/view.ts';
import { useDensity } from './density.api.ts';
import { DotsCanvas } from './dots-layer.ts';
import type { DotsLayer } from './dots-layer.ts';
import { pictureOf } from './dots.picture.ts';

/** Shows every device as a dot. Lazily loaded. */
export function Dots({
  filters,
  frame,
  colours,
  enabled,
  onClick,
}: {
  filters: DeviceFilters;
  /** The frame of the last request. */
  frame: Frame;
  colours: MapColours;
  enabled: boolean;
  /** Called with the box of the clicked dots, or null. */
  onClick: (bbox: Bbox | null) => void;
}) {
  const map = useMap();
  const layer = useRef<DotsLayer>(null);
  const density = useDensity({ filters, picture: useMemo(() => pictureOf(padded(frame)), [frame]) });

  const boxAt = (event: LeafletMouseEvent) =>
    layer.current?.boxAt(event.containerPoint, isTouch(event) ? SLACK.touch : SLACK.dot) ?? null;
  useLeafletEvents(
    map,
    enabled
      ? {
          click: (event: LeafletMouseEvent) => onClick(boxAt(event)),
          mousemove: (event: LeafletMouseEvent) =>
            void map.getContainer().classList.toggle('map-on-symbol', boxAt(event) !== null),
        }
      : {},
  );
  return <DotsCanvas ref={layer} density={density} colour={colours.accent} />;
}
