import type { Map as LeafletMap } from 'leaflet';
import { useState } from 'react';
import { frameOf } from '../geometry/frame.ts';
import { PADDING, padded } from '../geometry/frame.ts';
import type { Frame } from '../geometry/trace.ts';
import { bboxOf } from '../geometry/view.ts';
import type { Viewport } from '../map.api.ts';
import { useLeafletEvents } from './use-leaflet-events.ts';

/** A drag that has used this fraction of the padding fetches the next area. */
const USED_UP = 0.7;

interface RequestedArea {
  viewport: Viewport;
  /** The frame at that time, without the padding. */
  frame: Frame;
}

/** The area to request. It changes when the map settles, and during a drag that uses up most of the padding. */
export function useViewport(map: LeafletMap | null): RequestedArea | null {
  const [moved, setMoved] = useState<RequestedArea | null>(null);
  const requested = moved ?? (map && viewportOf(map));

  const request = () => map && setMoved(viewportOf(map));
  useLeafletEvents(map, {
    moveend: request,
    resize: request,
    drag: () => {
      if (map === null || requested === null) return;
      const { left, top, width, height } = frameOf(map);
      const used = Math.max(
        Math.abs(left - requested.frame.left) / width,
        Math.abs(top - requested.frame.top) / height,
      );
      if (used > PADDING * USED_UP) request();
    },
  });
  return requested;
}

function viewportOf(map: LeafletMap): RequestedArea {
  const frame = frameOf(map);
  const requested = padded(frame);
  const box = { left: 0, top: 0, right: requested.width, bottom: requested.height };
  // At fractional zooms, clusters of the next level are at most a sixth too close together.
  const zoom = Math.floor(map.getZoom() + 0.25);
  return { viewport: { bbox: bboxOf({ frame: requested, box }), zoom }, frame };
}
