import { isolate } from '../../../ui/fit-text.ts';
import type { MapColours } from '../canvas/map-colours.ts';
import type { PlacedNames } from './names.place.ts';
import { cityStyle, countryStyle, crossingStyle, setStyle } from './ruler.ts';

const HALO = 3;
const DOT = 1.75;

/** Draws names with halos, and the dots of cities. */
export function drawNames({
  context,
  names: { countries, cities, crossings },
  colours,
}: {
  context: CanvasRenderingContext2D;
  names: PlacedNames;
  colours: MapColours;
}): void {
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = HALO;
  context.strokeStyle = colours.halo;

  context.fillStyle = colours.country;
  for (const { text, x, y } of countries) {
    setStyle({ context, style: countryStyle, text, colours });
    write(context, text, x, y);
  }
  for (const { text, x, y } of crossings) {
    setStyle({ context, style: crossingStyle, text, colours });
    write(context, text, x, y);
  }
  context.fillStyle = colours.city;
  for (const { name, textX, textY } of cities) {
    setStyle({ context, style: cityStyle, text: name, colours });
    write(context, name, textX, textY);
  }
  context.letterSpacing = '0px';
  context.beginPath();
  for (const { x, y } of cities) {
    context.moveTo(x + DOT, y);
    context.arc(x, y, DOT, 0, 2 * Math.PI);
  }
  context.stroke();
  context.fill();
}

function write(context: CanvasRenderingContext2D, text: string, x: number, y: number): void {
  const shown = isolate(text);
  context.strokeText(shown, x, y);
  context.fillText(shown, x, y);
}
