import type { Position } from '@swarmdeck/bff/contract';
import { isImperial, language, localeOf, pseudoLanguage } from './language.ts';
import type { Texts } from './translation.ts';

/** A name, the same in every language. */
export const product = 'Swarmdeck';

/**
 * The texts of the app in the user's language. Undefined until `loadFirstTexts` or `loadTexts` has resolved, so read it in
 * functions. Code that loads with the home page may use `devices`, `map` and `shell` only.
 */
export let t: Texts;

let isComplete = false;

/** Loaded with the pseudo language. */
let pseudo = (text: string) => text;

let formats = createFormats('en');

const allTexts = import.meta.glob<Texts>('./*/all.ts', { import: 'texts' });
const firstTexts = import.meta.glob<Pick<Texts, 'devices' | 'map' | 'shell'>>('./*/first.ts', { import: 'first' });

/** The languages of the app: each is a folder. */
export const languages: readonly string[] = Object.keys(allTexts).map((path) => path.split('/')[1]!);

/** Loads the texts that the home page needs at first. A change of language loads the page again. */
export async function loadFirstTexts(): Promise<void> {
  const first = await loadTranslation(firstTexts, 'first', language);
  if (isComplete) return;
  t = first as Texts;
  formats = createFormats(language);
}

/** Loads all texts of a language. */
export async function loadTexts(wanted = language): Promise<void> {
  t = await loadTranslation(allTexts, 'all', wanted);
  formats = createFormats(wanted);
  isComplete = true;
}

/** Loads all texts, unless they have been loaded. */
export async function completeTexts(): Promise<void> {
  if (!isComplete) await loadTexts();
}

async function loadTranslation<T>(modules: Record<string, () => Promise<T>>, file: string, wanted: string): Promise<T> {
  const load = (name: string) => modules[`./${name}/${file}.ts`]!();
  if (wanted !== pseudoLanguage) return load(wanted);
  const [pseudoTexts, texts] = await Promise.all([import('./pseudo.ts'), load('en')]);
  pseudo = pseudoTexts.pseudo;
  return pseudoTexts.pseudoDictionary(texts);
}

function createFormats(wanted: string) {
  const locale = localeOf(wanted);
  const dateFormat = (options: Intl.DateTimeFormatOptions) => {
    const format = onFirstUse(() => new Intl.DateTimeFormat(locale, options));
    return (at: string | number) => pseudoDates(format().format(new Date(at)));
  };
  const pseudoDates = (text: string) => (wanted === pseudoLanguage ? pseudo(text) : text);
  const numberFormat = (options?: Intl.NumberFormatOptions) => {
    const format = onFirstUse(() => new Intl.NumberFormat(locale, options));
    return (value: number) => format().format(value);
  };
  const durationFormat = (unit: Age['unit']) => numberFormat({ style: 'unit', unit, unitDisplay: 'short' });
  const durations = {
    second: durationFormat('second'),
    minute: durationFormat('minute'),
    hour: durationFormat('hour'),
    day: durationFormat('day'),
  };
  const relative = onFirstUse(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }));
  return {
    locale,
    // Small values of sensors keep three digits.
    number: numberFormat({ maximumFractionDigits: 3, maximumSignificantDigits: 3, roundingPriority: 'morePrecision' }),
    distance: numberFormat({ style: 'unit', unit: isImperial ? 'mile' : 'kilometer', maximumFractionDigits: 0 }),
    shortDistance: numberFormat({ style: 'unit', unit: isImperial ? 'foot' : 'meter', maximumSignificantDigits: 2 }),
    list: onFirstUse(() => new Intl.ListFormat(locale, { type: 'conjunction' })),
    ago: ({ count, unit }: Age) => pseudoDates(relative().format(-count, unit)),
    duration: ({ count, unit }: Age) => pseudoDates(durations[unit](count)),
    clock: dateFormat({ hour: '2-digit', minute: '2-digit' }),
    clockSeconds: dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    dateTime: dateFormat({ dateStyle: 'medium', timeStyle: 'short' }),
    dateTimeSeconds: dateFormat({ dateStyle: 'medium', timeStyle: 'medium' }),
    date: dateFormat({ day: 'numeric', month: 'short' }),
    dateWithYear: dateFormat({ day: 'numeric', month: 'short', year: 'numeric' }),
    dateFormat,
  };
}

/** Creating a format is slow, and most pages use few of them. */
function onFirstUse<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => (created ??= create());
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export function formatNumber(value: number): string {
  return formats.number(value);
}

const kilometresPerMile = 1.609344;
const metresPerFoot = 0.3048;

/** `40 km` or `240 m`, or `25 mi` or `790 ft` in the United States. */
export function formatDistance(kilometres: number): string {
  if (kilometres < 0.95) return formats.shortDistance((kilometres * 1000) / (isImperial ? metresPerFoot : 1));
  return formats.distance(isImperial ? kilometres / kilometresPerMile : kilometres);
}

/** `a, b and c`. */
export function joinList(items: Iterable<string>): string {
  return formats.list().format(items);
}

/** The name of a country in the user's language; undefined for an unknown code. */
export function countryName(code: string): string | undefined {
  if (code === '') return undefined;
  return new Intl.DisplayNames(formats.locale, { type: 'region', fallback: 'none' }).of(code);
}

/** Decimals of a coordinate, on screens and in positions set on a map: 0.1 m. */
export const coordinateDecimals = 6;

/** `52.924000`. A point in every language, because a comma separates the two coordinates of a pair. */
function formatCoordinate(degrees: number): string {
  return degrees.toFixed(coordinateDecimals);
}

/** Rounds to the precision of a click on the map. */
export function roundPosition({ latitude, longitude }: Position): Position {
  return {
    latitude: Number(latitude.toFixed(coordinateDecimals)),
    longitude: Number(longitude.toFixed(coordinateDecimals)),
  };
}

export function formatPosition({ latitude, longitude }: Position): string {
  return `${formatCoordinate(latitude)}, ${formatCoordinate(longitude)}`;
}

/** `14:02`, local. */
export function formatClock(at: string | number): string {
  return formats.clock(at);
}

/** `14:32:08`, local. */
export function formatClockSeconds(at: number): string {
  return formats.clockSeconds(at);
}

/** `20 Nov 2026, 14:02`, local. */
export function formatDateTime(at: string | number): string {
  return formats.dateTime(at);
}

/** `20 Nov 2026, 14:32:08`, local. */
export function formatDateTimeSeconds(at: string): string {
  return formats.dateTimeSeconds(at);
}

/** `14:02` today, `20 Nov` this year, otherwise `20 Nov 2025`. */
export function formatDate(at: string, now: number): string {
  const date = new Date(at);
  if (midnight(now) === midnight(date.getTime())) return formats.clock(at);
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return sameYear ? formats.date(at) : formats.dateWithYear(at);
}

interface Age {
  count: number;
  unit: 'second' | 'minute' | 'hour' | 'day';
}

/** A short age: `now`, `12 sec`, `2 min`, `3 hr`, `yesterday`, `2 days`, `9 Nov`. */
export function formatAge(at: string, now: number): string {
  const age = ageOf({ at, now });
  if (!age) return formatDate(at, now);
  const isWord = age.count === 0 || (age.unit === 'day' && age.count === 1);
  return isWord ? formats.ago(age) : formats.duration(age);
}

/** An age for use in a sentence: `now`, `2 min ago`, `yesterday`, `9 Nov`. */
export function formatRelative(at: string, now: number): string {
  const age = ageOf({ at, now });
  return age ? formats.ago(age) : formatDate(at, now);
}

/** `15 min`, `1 day`: a whole number of the largest unit. */
export function formatInterval(seconds: number): string {
  const units = [
    { unit: 'day', of: 86_400 },
    { unit: 'hour', of: 3600 },
    { unit: 'minute', of: 60 },
    { unit: 'second', of: 1 },
  ] as const;
  const { unit, of } = units.find((each) => seconds % each.of === 0)!;
  return formats.duration({ count: seconds / of, unit });
}

/** `30 days`. */
export function formatDays(count: number): string {
  return formats.duration({ count, unit: 'day' });
}

/** After 24 hours it counts days of the local calendar. Undefined after a week. */
function ageOf({ at, now }: { at: string; now: number }): Age | undefined {
  const passed = Math.max(0, now - Date.parse(at));
  if (passed < 2000) return { count: 0, unit: 'second' };
  if (passed < minute) return { count: Math.floor(passed / 1000), unit: 'second' };
  if (passed < hour) return { count: Math.floor(passed / minute), unit: 'minute' };
  if (passed < day) return { count: Math.floor(passed / hour), unit: 'hour' };
  const count = Math.round((midnight(now) - midnight(Date.parse(at))) / day);
  return count < 7 ? { count, unit: 'day' } : undefined;
}

/** The start of the local day. */
function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** `today`, `yesterday`. */
export function formatDaysAgo(count: number): string {
  return formats.ago({ count, unit: 'day' });
}

/** Returns a format of dates in the user's language, for those that only some pages need. */
export function createDateFormat(options: Intl.DateTimeFormatOptions): (at: string | number) => string {
  let [known, format] = [formats, formats.dateFormat(options)];
  return (at) => {
    // All texts have been loaded since then.
    if (known !== formats) [known, format] = [formats, formats.dateFormat(options)];
    return format(at);
  };
}

/** The text for a key that may have none, such as an error code. */
export function textFor(texts: Readonly<Record<string, string>>, key: string): string | undefined {
  return texts[key];
}

/** The text for an error code. `detail` is the server's own sentence, for codes without a text. */
export function problemSentence({ code, detail = '' }: { code: string; detail?: string }): string {
  return textFor({ ...t.shell.problems, ...t.problems }, code) ?? (detail === '' ? t.shell.unexpected : detail);
}
