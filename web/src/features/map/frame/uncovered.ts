import type { Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { coveredBoxes } from '../canvas/obstacles.ts';
import { boxAround, within } from '../geometry/boxes.ts';
import { longitudeNear } from '../geometry/mercator.ts';
import { bringIntoView, uncover } from '../geometry/uncover.ts';
import { freeBox, type Insets } from '../geometry/view.ts';
import type { SelectedSymbol } from '../symbols/scene.ts';
import { useLeafletEvents } from './map-events.ts';

/** The symbol of the selected device with space for its label above or below. */
const RADIUS = 44;

/** In ms: the panels follow the size of the window. */
const PANELS_SETTLE = 150;

export interface Uncovering {
  /** Pans the map if something covers the device now. */
  uncover(): void;
}

interface UncoveredProps {
  handle: Ref<Uncovering>;
  map: LeafletMap;
  insets: Insets;
  selected: SelectedSymbol;
}

/**
 * Pans the map if the card or another element covers the device that was just selected, or covers it, or leaves it out of view,
 * since the phone was turned.
 */
export function Uncovered({ handle, map, insets, selected }: UncoveredProps) {
  const [size, setSize] = useState('');
  /** Whether it was in view when the map had this size. */
  const seen = useRef({ size: '', isInView: false });
  const find = () => {
    if (!selected.position) return undefined;
    const { latitude, longitude } = selected.position;
    const { x, y } = map.latLngToContainerPoint([latitude, longitudeNear(longitude, map.getCenter().lng)]);
    return {
      disc: { x, y, radius: RADIUS },
      boxes: coveredBoxes(map.getContainer()),
      view: freeBox({ size: map.getSize(), insets }),
    };
  };
  const note = () => {
    const found = find();
    const isInView = found !== undefined && within(boxAround({ ...found.disc, width: 0, height: 0 }), found.view);
    seen.current = { size: map.getSize().toString(), isInView };
  };
  const pan = (wayOf: typeof uncover) => {
    const found = find();
    const by = found && wayOf(found);
    if (by) map.panBy([by.x, by.y]);
    note();
  };
  const moves = useRef({ isMoving: false, isAsked: false });
  const uncoverNow = () => {
    // A pan would end a move in its middle.
    moves.current.isAsked = moves.current.isMoving;
    if (!moves.current.isMoving) pan(uncover);
  };
  useLeafletEvents(map, {
    movestart: () => {
      moves.current.isMoving = true;
    },
    moveend: () => {
      moves.current.isMoving = false;
      if (moves.current.isAsked) uncoverNow();
      // A resize moves the map first.
      else if (map.getSize().toString() === seen.current.size) note();
    },
    resize: () => setSize(map.getSize().toString()),
  });
  const panNow = useEffectEvent(pan);
  useEffect(() => panNow(uncover), []);
  useImperativeHandle(handle, () => ({ uncover: uncoverNow }));
  useEffect(() => {
    if (size === '' || !seen.current.isInView) return undefined;
    const timer = setTimeout(() => panNow(bringIntoView), PANELS_SETTLE);
    return () => clearTimeout(timer);
  }, [size]);
  return null;
}
