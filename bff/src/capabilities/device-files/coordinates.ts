/** Coordinates as users and other programs write them. For the forms of the app and the import; runs in Node and in a browser. */

/** Longer text is no coordinate and no pair: trying all divisions of a pair would take too long. */
const longest = 100;
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const coordinate =
  /^(?<before>[NSEWO])?\s*(?<sign>[+-])?(?<degrees>\d+(?:\.\d*)?|\.\d+)\s*(?<mark>[°:])?\s*(?:(?<=[\s°:])(?<minutes>\d+(?:\.\d+)?)\s*[':]?\s*(?:(?<=[\s':])(?<seconds>\d+(?:\.\d+)?)\s*"?)?)?\s*(?<after>[NSEWO])?$/i;
const hemispheres = { latitude: 'NS', longitude: 'EWO' } as const;

/** What the letter O means in a longitude: German _Ost_, or French _ouest_, Spanish _oeste_ and Italian _ovest_. */
export type LetterO = 'east' | 'west';

/** What O means in a language; undefined if it has another letter for both. */
export function letterOIn(language: string): LetterO | undefined {
  const [base = ''] = language.split('-');
  if (base === 'de' || base === 'nl') return 'east';
  return ['fr', 'es', 'it', 'pt', 'ca', 'gl'].includes(base) ? 'west' : undefined;
}

/**
 * Parses degrees: `52.924`, `52,924`, `−12.5°`, `47.3769° N`, `47° 22′ 36.8″ N`, `47d22'36.8" North`, `47:22:36.8`, `4.7e1`. Returns NaN for
 * other text, for a hemisphere of the other axis, and for an O unless its meaning is given.
 */
export function readCoordinate(text: string, field?: 'latitude' | 'longitude', letterO?: LetterO): number {
  if (text.trim().length > longest) return Number.NaN;
  const plain = plainOf(text);
  // Adding 0 converts -0 to 0.
  if (decimal.test(plain)) return Number(plain) + 0;
  const { before, sign, degrees = '', mark, minutes, seconds, after } = coordinate.exec(plain)?.groups ?? {};
  const hemisphere = (before ?? after ?? '').toUpperCase();
  const isWrong =
    degrees === '' ||
    // Half of an exponent, rather than the east.
    /\de$/.test(plain) ||
    (before !== undefined && after !== undefined) ||
    (hemisphere === 'O' && !letterO) ||
    (hemisphere !== '' && (sign !== undefined || (field && !hemispheres[field].includes(hemisphere))));
  if (isWrong) return Number.NaN;
  const isWest = hemisphere === 'W' || (hemisphere === 'O' && letterO === 'west');
  const factor = sign === '-' || hemisphere === 'S' || isWest ? -1 : 1;
  if (minutes === undefined) return mark === ':' ? Number.NaN : Number(degrees) * factor + 0;
  // Two plain numbers are a pair, not degrees and minutes. Only the last part may have decimals.
  const isSexagesimal =
    (mark || hemisphere) &&
    !degrees.includes('.') &&
    Number(minutes) < 60 &&
    (seconds === undefined || (!minutes.includes('.') && Number(seconds) < 60));
  if (!isSexagesimal) return Number.NaN;
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds ?? 0) / 3600;
  // Rounds to a millimetre, because further digits are only rounding errors.
  return Number((value * factor).toFixed(8)) + 0;
}

/** The letter of a hemisphere in a coordinate, such as the W of `8° 32′ W`. */
export function hemisphereOf(text: string): string | undefined {
  if (text.length > longest || !/[nsewo]/i.test(text)) return undefined;
  const plain = plainOf(text);
  const { before, after } = (!decimal.test(plain) && coordinate.exec(plain)?.groups) || {};
  return (before ?? after)?.toUpperCase();
}

/** Both coordinates, as they were written. */
type Pair = { latitude: string; longitude: string };

const letterAfter = /^(.*[NS])[\s,;]+(.*[EWO])$|^(.*[EWO])[\s,;]+(.*[NS])$/i;
const letterBefore = /^([NS].*?)[\s,;]+([EWO].*)$|^([EWO].*?)[\s,;]+([NS].*)$/i;
const plainPair = /^([+\-−–]?[\d.,]*\d)°?(?:\s*;\s*|\s*,\s+|\s+|(?<=\.\d+°?),(?=[+\-−–]?\d+\.))([+\-−–]?\d[\d.,]*)°?$/u;
/** Two coordinates with signs of minutes. A comma without a space is a decimal comma. */
const separated = /\s*;\s*|\s*,\s+/;

/** A point as databases and map programs write it: well-known text (OGC 06-103r4), or a geometry of GeoJSON. The longitude is the first. */
const point =
  /^(?:SRID=4326;)?\s*(?:POINT\s?(?:ZM?|M)?\s?\(\s?|\{\s?"type"\s?:\s?"Point"\s?,\s?"coordinates"\s?:\s?\[\s?)([-+\d.e]+)(?:\s?,\s?|\s)([-+\d.e]+)(?:[\s,]+[-+\d.e]+){0,2}\s?(?:\)|\]\s?\})$/i;

/** With the latitude first: `geo:` (RFC 5870, and as Android writes it), and a point of ODK with its altitude and its accuracy. */
const latitudeFirst = [
  /^geo:(?:[^?]*\?(?:.*&)?q=)?([-+\d.]+),([-+\d.]+)(?:[,;?&(].*)?$/i,
  /^(-?\d+\.\d+) (-?\d+\.\d+) -?\d+(?:\.\d+)? \d+(?:\.\d+)?$/,
];

/**
 * The halves of a pair: `52.924, 12.296`, `52,924; 12,296`, `52.924 12.296`, `47.3769° N, 8.5417° E`, `47° 22′, 8° 32′`. Without letters of
 * hemispheres, the latitude is the first. Parentheses may be around it. A point may also be `POINT (12.296 52.924)`, a geometry of GeoJSON,
 * `geo:52.924,12.296` or `52.924 12.296 30.0 4.5`. Returns null for other text: a lone `52,924` is one number, and so is `47° 22`.
 */
export function readPair(text: string, letterO?: LetterO): Pair | null {
  const pair = text
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .trim();
  if (pair.length > longest || !Number.isNaN(readCoordinate(pair, undefined, letterO))) return null;
  return readPoint(pair) ?? readNamedPair(pair, letterO) ?? readPlainPair(pair, letterO);
}

function readPoint(text: string): Pair | null {
  const plain = text.replaceAll(/\s+/g, ' ');
  for (const form of latitudeFirst) {
    const [, latitude = '', longitude = ''] = form.exec(plain) ?? [];
    if (areCoordinates({ latitude, longitude }, undefined)) return { latitude, longitude };
  }
  const [, longitude = '', latitude = ''] = point.exec(plain) ?? [];
  return areCoordinates({ latitude, longitude }, undefined) ? { latitude, longitude } : null;
}

const areCoordinates = ({ latitude, longitude }: Pair, letterO: LetterO | undefined) =>
  !Number.isNaN(readCoordinate(latitude, 'latitude', letterO)) &&
  !Number.isNaN(readCoordinate(longitude, 'longitude', letterO));

/** With hemispheres, which define the order. */
function readNamedPair(pair: string, letterO: LetterO | undefined): Pair | null {
  const match = letterBefore.exec(pair) ?? letterAfter.exec(pair);
  const latitude = match?.[1] ?? match?.[4] ?? '';
  const longitude = match?.[2] ?? match?.[3] ?? '';
  return areCoordinates({ latitude, longitude }, letterO) ? { latitude, longitude } : null;
}

function readPlainPair(pair: string, letterO: LetterO | undefined): Pair | null {
  const [latitude = '', longitude = '', ...rest] = plainPair.exec(pair)?.slice(1) ?? pair.split(separated);
  return rest.length === 0 && areCoordinates({ latitude, longitude }, letterO) ? { latitude, longitude } : null;
}

/** In the languages of the app and of its neighbours. */
const directions: Readonly<Record<string, string>> = {
  north: 'N',
  nord: 'N',
  norte: 'N',
  south: 'S',
  süd: 'S',
  sud: 'S',
  sur: 'S',
  east: 'E',
  ost: 'E',
  est: 'E',
  este: 'E',
  west: 'W',
  ouest: 'W',
  oeste: 'W',
  ovest: 'W',
};

/**
 * With one form of each mark, letters of hemispheres, and decimal points. A gap is one space, because the pattern of a coordinate tries all
 * divisions of a longer one.
 */
function plainOf(text: string): string {
  return text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/[−–]/, '-')
    .replaceAll(/[′’‘´`]/g, "'")
    .replaceAll(/″|“|”|''/g, '"')
    .replace(/[º˚]/, '°')
    .replace(/(\d) ?(?:degrees?|deg|d)(?![a-z])/i, '$1°')
    .replace(/\p{L}{3,5}/u, (word) => directions[word.toLowerCase()] ?? word)
    .replaceAll(/(\d),(\d)/g, '$1.$2');
}
