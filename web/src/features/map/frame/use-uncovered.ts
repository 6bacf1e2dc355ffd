import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent } from 'react';
import { coveredBoxes } from '../canvas/covered.ts';
import { prefersReducedMotion } from '../../../ui/media.ts';
import { freeBox } from '../geometry/insets.ts';
import type { Insets } from '../geometry/insets.ts';
import { longitudeNear } from '../geometry/mercator.ts';
import { uncover } from '../geometry/uncover.ts';
import type { SelectedDevice } from '../symbols/scene.ts';

/** The symbol of the selected device with space for its label above or below. */
const RADIUS = 44;

/** Pans the map if the card or another element covers the device that was just selected. */
export function useUncovered(options: { map: LeafletMap | null; insets: Insets; selected: SelectedDevice | null }) {
  const { map, insets, selected } = options;
  const pan = useEffectEvent(() => {
    if (!map || !selected?.position) return;
    const { latitude, longitude } = selected.position;
    const at = map.latLngToContainerPoint([latitude, longitudeNear(longitude, map.getCenter().lng)]);
    const by = uncover({
      spot: { x: at.x, y: at.y, radius: RADIUS },
      boxes: coveredBoxes(map.getContainer()),
      view: freeBox({ size: map.getSize(), insets }),
    });
    if (by) map.panBy([by.x, by.y], { animate: !prefersReducedMotion() });
  });
  const id = selected?.id;
  useEffect(() => {
    if (id !== undefined) pan();
  }, [id]);
}
