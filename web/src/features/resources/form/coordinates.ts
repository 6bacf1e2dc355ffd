/** Coordinates as users write them. */
import type { Position } from '@swarmdeck/bff/contract';
import type { Draft } from '../../../api/device-fields.ts';
import { coordinateDecimals, formatNumber, t } from '../../../text/text.ts';

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

/** Longer text is neither a coordinate nor a pair: trying all its divisions would take too long. */
const longest = 100;
const coordinate =
  /^(?<before>[NSEW])?\s*(?<sign>[+-])?(?<degrees>\d+\.?\d*|\.\d+)\s*(?<mark>°)?(?:\s*(?<minutes>\d+(?:\.\d+)?)\s*'?(?:\s*(?<seconds>\d+(?:\.\d+)?)\s*"?)?)?\s*(?<after>[NSEW])?$/i;
const hemispheres = { latitude: 'NS', longitude: 'EW' } as const;

/**
 * Parses degrees as users write them: `52.924`, `52,924`, `−12.5°`, `47.3769° N`, `47° 22′ 36.8″ N`. Returns NaN for
 * other text, and for a hemisphere of the other axis.
 */
export function readCoordinate(text: string, field?: 'latitude' | 'longitude'): number {
  if (text.length > longest) return Number.NaN;
  const plain = text
    .trim()
    .replace(/[−–]/, '-')
    .replaceAll(/″|“|”|''|′′/g, '"')
    .replaceAll(/[′’‘]/g, "'")
    .replace('º', '°')
    .replaceAll(/(\d),(\d)/g, '$1.$2');
  const { before, sign, degrees = '', mark, minutes, seconds = '0', after } = coordinate.exec(plain)?.groups ?? {};
  const hemisphere = (before ?? after ?? '').toUpperCase();
  const isWrong =
    degrees === '' ||
    (before !== undefined && after !== undefined) ||
    (hemisphere !== '' && (sign !== undefined || (field && !hemispheres[field].includes(hemisphere))));
  if (isWrong) return Number.NaN;
  const factor = sign === '-' || hemisphere === 'S' || hemisphere === 'W' ? -1 : 1;
  if (minutes === undefined) return Number(degrees) * factor + 0;
  // Two plain numbers are a pair, not degrees and minutes.
  const isSexagesimal = (mark || hemisphere) && !degrees.includes('.') && Number(minutes) < 60 && Number(seconds) < 60;
  if (!isSexagesimal) return Number.NaN;
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  // Rounds to a millimetre, because further digits are only rounding errors.
  return Number((value * factor).toFixed(8)) + 0;
}

const letterAfter = /^(.*[NS])[\s,;]+(.*[EW])$|^(.*[EW])[\s,;]+(.*[NS])$/i;
const letterBefore = /^([NS].*?)[\s,;]+([EW].*)$|^([EW].*?)[\s,;]+([NS].*)$/i;

/** The two halves of a pair with hemispheres, which define their order. */
function readNamedPair(text: string): Coordinates | null {
  const match = letterBefore.exec(text.trim()) ?? letterAfter.exec(text.trim());
  const latitude = match?.[1] ?? match?.[4] ?? '';
  const longitude = match?.[2] ?? match?.[3] ?? '';
  const isPair =
    !Number.isNaN(readCoordinate(latitude, 'latitude')) && !Number.isNaN(readCoordinate(longitude, 'longitude'));
  return isPair ? { latitude, longitude } : null;
}

/**
 * A pair pasted into one field: `52.924, 12.296`, `52,924; 12,296`, `52.924 12.296`, `47.3769° N, 8.5417° E`.
 * A lone `52,924` is one number.
 */
export function readPair(text: string): Coordinates | null {
  if (text.length > longest) return null;
  const named = readNamedPair(text);
  if (named) return named;
  const match =
    /^\s*([+\-−–]?[\d.,]*\d)°?(?:\s*;\s*|\s*,\s+|\s+|(?<=\.\d+°?),(?=[+\-−–]?\d+\.))([+\-−–]?\d[\d.,]*)°?\s*$/u.exec(
      text,
    );
  const [latitude, longitude] = [match?.[1] ?? '', match?.[2] ?? ''];
  if (Number.isNaN(readCoordinate(latitude)) || Number.isNaN(readCoordinate(longitude))) return null;
  return { latitude, longitude };
}

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
