import { useState } from 'react';
import { useMap } from 'react-leaflet';
import { isImperial } from '../../../text/language.ts';
import { atTextSize } from '../../../ui/browser/media.ts';
import { useLeafletEvents } from './map-events.ts';
import './scale-bar.css';

/** In px, for the browser's default text size. */
const longestBar = 100;
const feetOfMetre = 3.2808399;
const feetOfMile = 5280;

/** 1, 2, 3 or 5 with zeros: the largest one up to `most`. */
function roundedDown(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  const first = [5, 3, 2].find((each) => each * power <= most) ?? 1;
  return first * power;
}

/** The longest bar that has a round length, as a fraction of so many metres. */
export function scaleOf(metres: number, imperial: boolean): { text: string; share: number } {
  const feet = metres * feetOfMetre;
  const isLong = imperial ? feet > feetOfMile : metres >= 1000;
  const [most, unit] = imperial
    ? isLong
      ? [feet / feetOfMile, 'mi']
      : [feet, 'ft']
    : isLong
      ? [metres / 1000, 'km']
      : [metres, 'm'];
  const round = roundedDown(most);
  return { text: `${round} ${unit}`, share: round / most };
}

/**
 * The scale at the middle of a map. Leaflet's own is a control, and the code of controls must be there before the map, which would be
 * before it can be used.
 */
export function ScaleBar() {
  const map = useMap();
  // Large text needs a longer bar.
  const [longest] = useState(() => atTextSize(longestBar));
  const measure = () => {
    const y = map.getSize().y / 2;
    const metres = map.distance(map.containerPointToLatLng([0, y]), map.containerPointToLatLng([longest, y]));
    return metres > 0 ? scaleOf(metres, isImperial) : null;
  };
  const [scale, setScale] = useState(measure);
  useLeafletEvents(map, {
    move() {
      const next = measure();
      if (next?.text !== scale?.text || next?.share !== scale?.share) setScale(next);
    },
  });
  return (
    scale && (
      <div className="scale-bar" style={{ inlineSize: Math.round(longest * scale.share) }}>
        {scale.text}
      </div>
    )
  );
}
