/** Coordinates as users write them. */
import type { Position } from '@swarmdeck/bff/contract';
import { letterOIn, readCoordinate as readAny, readPair as readAnyPair } from '@swarmdeck/bff/coordinates';
import type { Draft } from '../../../data/forms/device-fields.ts';
import { coordinateDecimals, formatNumber, t } from '../../../text/text.ts';
import { language } from '../../../text/language.ts';

/** As users of this language write them. */
export const readCoordinate = (text: string, field?: 'latitude' | 'longitude'): number =>
  readAny(text, field, letterOIn(language));

export type Coordinates = Pick<Draft, 'latitude' | 'longitude'>;

const ranges = { latitude: 90, longitude: 180 } as const;

// Six decimals as on all screens, and more only if the value has more.
const exact = new Intl.NumberFormat('en', {
  minimumFractionDigits: coordinateDecimals,
  maximumFractionDigits: 20,
  useGrouping: false,
});
export const writeCoordinate = (degrees: number): string => exact.format(degrees);

export function writePosition(position: Position | undefined): Coordinates {
  if (!position) return { latitude: '', longitude: '' };
  return { latitude: writeCoordinate(position.latitude), longitude: writeCoordinate(position.longitude) };
}

/** Behind whole degrees and a space, a user may be typing minutes: `47 22`. */
export const mayBeMinutes = (text: string): boolean => /^\s*[+\-−–]?\d+°?\s+[\d.,]+\s*$/.test(text);

/** A pair pasted into one field. */
export const readPair = (text: string): Coordinates | null => readAnyPair(text, letterOIn(language));

export function coordinateError(position: Coordinates, field: 'latitude' | 'longitude'): string | undefined {
  const say = t.device.form.errors;
  const other = field === 'latitude' ? position.longitude : position.latitude;
  if (position[field].trim() === '') return other.trim() === '' ? undefined : say.other_half;
  const degrees = readCoordinate(position[field], field);
  if (Number.isNaN(degrees)) return say.not_a_number;
  return Math.abs(degrees) > ranges[field] ? say.out_of_range(formatNumber(ranges[field])) : undefined;
}

/** The position of the form; undefined while it is empty, incomplete or invalid. */
export function readPosition(draft: Coordinates): Position | undefined {
  if (coordinateError(draft, 'latitude') ?? coordinateError(draft, 'longitude')) return undefined;
  if (draft.latitude.trim() === '') return undefined;
  return { latitude: readCoordinate(draft.latitude), longitude: readCoordinate(draft.longitude) };
}
