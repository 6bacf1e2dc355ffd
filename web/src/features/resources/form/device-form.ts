/**
 * The form of a device: what is typed (text) against what the service keeps (values). The rules are
 * the service's; they are checked here too so that nobody waits for an answer to learn that a name
 * is missing. Errors are codes; the words are in the dictionary.
 */
import type { Position, Problem } from '@swarmdeck/bff/contract';
import { codePoints, limits, unprintable, visible } from '@swarmdeck/bff/limits';
import { coordinateDecimals } from '../../../text/text.ts';
import type { DeviceValues } from './device-merge.ts';
import type { Draft } from './draft.ts';

export type Coordinates = Pick<Draft, 'latitude' | 'longitude'>;
export type DraftField = keyof Draft;
type DraftError = 'missing' | 'too_long' | 'invisible' | 'unprintable' | 'not_a_number' | 'out_of_range' | 'other_half';
/** The first fault of each field: ours as a code, the server's as its own sentence. */
export type DraftErrors = Partial<Record<DraftField, DraftError | { detail: string }>>;

export const ranges = { latitude: 90, longitude: 180 } as const;

// as many decimals as on every other screen, and more only if the value has more
const exact = new Intl.NumberFormat('en', {
  minimumFractionDigits: coordinateDecimals,
  maximumFractionDigits: 20,
  useGrouping: false,
});
export const writeCoordinate = (degrees: number): string => exact.format(degrees);

export function toDraft(values: DeviceValues): Draft {
  return {
    name: values.name,
    machine_type: values.machine_type,
    description: values.description ?? '',
    ...writePosition(values.position),
  };
}

export function writePosition(position: Position | undefined): Coordinates {
  if (!position) return { latitude: '', longitude: '' };
  return { latitude: writeCoordinate(position.latitude), longitude: writeCoordinate(position.longitude) };
}

const coordinate =
  /^(?<before>[NSEW])?\s*(?<sign>[+-])?(?<degrees>\d+\.?\d*|\.\d+)\s*(?<mark>°)?(?:\s*(?<minutes>\d+(?:\.\d+)?)\s*'?(?:\s*(?<seconds>\d+(?:\.\d+)?)\s*"?)?)?\s*(?<after>[NSEW])?$/i;
const hemispheres = { latitude: 'NS', longitude: 'EW' } as const;

/**
 * Degrees as users write them: `52.924`, `52,924`, `−12.5°`, `47.3769° N`, `47° 22′ 36.8″ N`. NaN if it is no
 * coordinate, or if its hemisphere does not belong to the field.
 */
export function readCoordinate(text: string, field?: 'latitude' | 'longitude'): number {
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
  // two plain numbers are a pair
  const isSexagesimal = (mark || hemisphere) && !degrees.includes('.') && Number(minutes) < 60 && Number(seconds) < 60;
  if (!isSexagesimal) return Number.NaN;
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3600;
  // a millimetre: beyond that is only the error of the division
  return Number((value * factor).toFixed(8)) + 0;
}

const letterAfter = /^(.*[NS])[\s,;]+(.*[EW])$|^(.*[EW])[\s,;]+(.*[NS])$/i;
const letterBefore = /^([NS].*?)[\s,;]+([EW].*)$|^([EW].*?)[\s,;]+([NS].*)$/i;

/** Longer text is no pair, and is not worth trying all its divisions. */
const longestPair = 100;

/** The two halves of a pair in which hemispheres say which is which. */
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
  if (text.length > longestPair) return null;
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

function checkText(text: string, limit: number): DraftError | null {
  if (unprintable.test(text)) return 'unprintable';
  return codePoints(text) > limit ? 'too_long' : null;
}

function checkCoordinate(draft: Coordinates, field: 'latitude' | 'longitude'): DraftError | null {
  const other = field === 'latitude' ? draft.longitude : draft.latitude;
  if (draft[field].trim() === '') return other.trim() === '' ? null : 'other_half';
  const degrees = readCoordinate(draft[field], field);
  if (Number.isNaN(degrees)) return 'not_a_number';
  return Math.abs(degrees) > ranges[field] ? 'out_of_range' : null;
}

export function checkDraft(draft: Draft): DraftErrors {
  const name =
    draft.name === '' ? 'missing' : visible.test(draft.name) ? checkText(draft.name, limits.nameLength) : 'invisible';
  const found: Record<DraftField, DraftError | null> = {
    name,
    machine_type: draft.machine_type === null ? 'missing' : null,
    description: checkText(draft.description, limits.descriptionLength),
    latitude: checkCoordinate(draft, 'latitude'),
    longitude: checkCoordinate(draft, 'longitude'),
  };
  return Object.fromEntries(Object.entries(found).filter(([, error]) => error !== null));
}

/** Of these errors, those that are there as typed now: what was wrong is right as soon as it is. */
export function stillWrong(errors: DraftErrors, draft: Draft): DraftErrors {
  return Object.fromEntries(Object.entries(checkDraft(draft)).filter(([field]) => field in errors));
}

/** The position that is typed; undefined while it is empty, half or wrong. */
export function draftPosition(draft: Coordinates): Position | undefined {
  if (checkCoordinate(draft, 'latitude') ?? checkCoordinate(draft, 'longitude')) return undefined;
  if (draft.latitude.trim() === '') return undefined;
  return { latitude: readCoordinate(draft.latitude), longitude: readCoordinate(draft.longitude) };
}

/** The values of a draft that `checkDraft` finds no fault with, or null. */
export function readDraft(draft: Draft): DeviceValues | null {
  if (draft.machine_type === null || Object.keys(checkDraft(draft)).length > 0) return null;
  return {
    name: draft.name,
    machine_type: draft.machine_type,
    description: draft.description === '' ? undefined : draft.description,
    position: draftPosition(draft),
  };
}

/**
 * Which fields differ from what the form was filled with: by what they mean, so that "52,924" is no
 * change of 52.924, and by what is typed where that means nothing yet.
 */
export function draftChanges({ base, draft }: { base: DeviceValues; draft: Draft }): (keyof DeviceValues)[] {
  const before = toDraft(base);
  const changed: (keyof DeviceValues)[] = [];
  if (draft.name !== before.name) changed.push('name');
  if (draft.machine_type !== before.machine_type) changed.push('machine_type');
  if (draft.description !== before.description) changed.push('description');
  const same = (field: 'latitude' | 'longitude') =>
    draft[field] === before[field] || readCoordinate(draft[field], field) === base.position?.[field];
  if (!same('latitude') || !same('longitude')) changed.push('position');
  return changed;
}

/** The draft as values where some fields may be wrong: what was not changed is exactly what it was. */
export function draftValues({ base, draft }: { base: DeviceValues; draft: Draft }): DeviceValues {
  const changed = draftChanges({ base, draft });
  const pick = <T>(field: keyof DeviceValues, mine: T, before: T): T => (changed.includes(field) ? mine : before);
  return {
    name: draft.name,
    machine_type: draft.machine_type ?? base.machine_type,
    description: pick('description', draft.description === '' ? undefined : draft.description, base.description),
    position: pick('position', draftPosition(draft), base.position),
  };
}

const pointers: Record<string, DraftField> = {
  '/name': 'name',
  '/machine_type': 'machine_type',
  '/description': 'description',
  '/position': 'latitude',
  '/position/latitude': 'latitude',
  '/position/longitude': 'longitude',
};

/** The server's faults at their fields, and the ones that belong to none. */
export function problemErrors(problem: Problem): { fields: DraftErrors; others: string[] } {
  const fields: DraftErrors = {};
  const others: string[] = [];
  for (const { pointer, detail } of problem.errors ?? []) {
    const field = pointers[pointer];
    if (!field) others.push(`${pointer}: ${detail}`);
    else fields[field] ??= { detail };
  }
  if (!problem.errors?.length) others.push(problem.detail);
  return { fields, others };
}
