/** Coordinates as users and other programs write them. For the forms of the app and the import; runs in Node and in a browser. */

/** Longer text is no coordinate. */
const longest = 100;
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const coordinate =
  /^(?<before>[NSEW])?\s*(?<sign>[+-])?(?<degrees>\d+(?:\.\d*)?|\.\d+)\s*(?<mark>[°:])?\s*(?:(?<=[\s°:])(?<minutes>\d+(?:\.\d+)?)\s*[':]?\s*(?:(?<=[\s':])(?<seconds>\d+(?:\.\d+)?)\s*"?)?)?\s*(?<after>[NSEW])?$/i;
const hemispheres = { latitude: 'NS', longitude: 'EW' } as const;

/**
 * Parses degrees: `52.924`, `52,924`, `−12.5°`, `47.3769° N`, `47° 22′ 36.8″ N`, `47:22:36.8`, `4.7e1`. Returns NaN for
 * other text, and for a hemisphere of the other axis.
 */
export function readCoordinate(text: string, field?: 'latitude' | 'longitude'): number {
  const trimmed = text.trim();
  if (trimmed.length > longest) return Number.NaN;
  const plain = trimmed
    .replace(/[−–]/, '-')
    .replaceAll(/[′’‘´`]/g, "'")
    .replaceAll(/″|“|”|''/g, '"')
    .replace(/[º˚]/, '°')
    .replaceAll(/(\d),(\d)/g, '$1.$2');
  // Adding 0 converts -0 to 0.
  if (decimal.test(plain)) return Number(plain) + 0;
  const { before, sign, degrees = '', mark, minutes, seconds, after } = coordinate.exec(plain)?.groups ?? {};
  const hemisphere = (before ?? after ?? '').toUpperCase();
  const isWrong =
    degrees === '' ||
    // Half of an exponent, rather than the east.
    /\de$/.test(plain) ||
    (before !== undefined && after !== undefined) ||
    (hemisphere !== '' && (sign !== undefined || (field && !hemispheres[field].includes(hemisphere))));
  if (isWrong) return Number.NaN;
  const factor = sign === '-' || hemisphere === 'S' || hemisphere === 'W' ? -1 : 1;
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
