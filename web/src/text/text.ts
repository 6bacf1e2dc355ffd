import type { Position } from '@swarmdeck/bff/contract';
import { dayMs, hourMs, minuteMs } from '@swarmdeck/bff/durations';
import { language, localeOf, pseudoLanguage } from './language.ts';
import type { Texts } from './translation.ts';

/** A name, the same in every language. */
export const product = 'Swarmdeck';

/**
 * The texts of the app in the user's language: those that the code shows that has loaded. They load with the code, so read them
 * in functions. Only `problems` and `commands` may load after what reads them.
 */
export let t = {} as Texts;
/** The language of `t`. */
let spoken = '';

/** Loaded with the pseudo language. */
let pseudo = asItIs;

/** Another one when texts have loaded: formats are then created again. */
let region = { locale: localeOf('en') };

type Load = () => Promise<{ texts: object }>;
/** By language. */
type LoadTexts = Readonly<Record<string, Load>>;

// The build divides the texts (texts.plugin.ts). Elsewhere, all are in each of these modules.
const first = import.meta.glob<{ texts: Texts }>('./*/index.ts', { query: 'texts=first' });
const common = import.meta.glob<{ texts: object }>('./*/index.ts', { query: 'texts=common' });
const namesOf = (modules: Record<string, Load>): LoadTexts =>
  Object.fromEntries(Object.entries(modules).map(([path, load]) => [path.split('/')[1]!, load]));
const [firstTexts, commonTexts] = [namesOf(first), namesOf(common)];

/** The languages of the app: each is a folder. */
export const languages: readonly string[] = Object.keys(firstTexts);

/** Loads the texts that the first files of the app show. A change of language loads the page again. */
export async function loadTexts(wanted = language): Promise<void> {
  if (wanted !== spoken) t = {} as Texts;
  spoken = wanted;
  pseudo = wanted === pseudoLanguage ? (await import('./pseudo.ts')).pseudo : asItIs;
  await addTexts(firstTexts);
  region = { locale: localeOf(wanted) };
}

/** Resolves to `code`, once its texts have loaded. The build writes it around imports (texts.plugin.ts). */
export async function withTexts<Code>(code: Promise<Code>, texts: LoadTexts): Promise<Code> {
  const [loaded] = await Promise.all([code, addTexts(texts), addTexts(commonTexts)]);
  return loaded;
}

async function addTexts(modules: LoadTexts): Promise<void> {
  const isPseudo = spoken === pseudoLanguage;
  const into = t;
  const { texts } = await modules[isPseudo ? 'en' : spoken]!();
  merge(into, isPseudo ? (await import('./pseudo.ts')).pseudoDictionary(texts) : texts);
}

function merge(into: object, texts: object): void {
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value !== 'object') Object.assign(into, { [key]: value });
    else merge(((into as Record<string, object>)[key] ??= {}), value);
  }
}

function asItIs(text: string): string {
  return text;
}

/**
 * Returns a format in the user's language, which is created at its first use: that is slow, and most pages use few of them.
 * formats.ts has those that the home page does not need at first.
 */
export function createFormat<Format>(create: (locale: string) => Format): () => Format {
  let created: { of: object; offset: number; format: Format } | undefined;
  return () => {
    // A format keeps the time zone in which it was created, and the user travels.
    const offset = new Date().getTimezoneOffset();
    if (created?.of !== region || created.offset !== offset)
      created = { of: region, offset, format: create(region.locale) };
    return created.format;
  };
}

const zone = createFormat((locale) => new Intl.DateTimeFormat(locale, { hour: 'numeric', timeZoneName: 'short' }));
const zoneOf = (at: Date) =>
  zone()
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** Whether the clocks show this time of the day twice, because they are set back: then the zone tells the two apart. */
function isTwice(at: Date): boolean {
  const offset = (ms: number) => new Date(ms).getTimezoneOffset();
  const time = at.getTime();
  const gained = (offset(time + 3 * hourMs) - offset(time - 3 * hourMs)) * minuteMs;
  return gained > 0 && (offset(time + gained) !== offset(time) || offset(time - gained) !== offset(time));
}

export function createDateFormat(options: Intl.DateTimeFormatOptions): (at: string | number) => string {
  const format = createFormat((locale) => new Intl.DateTimeFormat(locale, options));
  const hasTime = (options.hour ?? options.timeStyle) !== undefined;
  return (at) => {
    const date = new Date(at);
    const text = format().format(date);
    return pseudo(hasTime && isTwice(date) ? `${text} ${zoneOf(date)}` : text);
  };
}

export function createNumberFormat(options: Intl.NumberFormatOptions): (value: number) => string {
  const format = createFormat((locale) => new Intl.NumberFormat(locale, options));
  return (value) => format().format(value);
}

/** Small values of sensors keep three digits. */
export const formatNumber = createNumberFormat({
  maximumFractionDigits: 3,
  maximumSignificantDigits: 3,
  roundingPriority: 'morePrecision',
});

/** Decimals of a coordinate, on screens and in positions set on a map: 0.1 m. */
export const coordinateDecimals = 6;

/** Rounds to the precision of a click on the map. */
export function roundPosition({ latitude, longitude }: Position): Position {
  return {
    latitude: Number(latitude.toFixed(coordinateDecimals)),
    longitude: Number(longitude.toFixed(coordinateDecimals)),
  };
}

/** `14:02`, local. */
export const formatClock = createDateFormat({ hour: '2-digit', minute: '2-digit' });

/** `20 Nov 2026, 14:02`, local. */
export const formatDateTime = createDateFormat({ dateStyle: 'medium', timeStyle: 'short' });

const dayFormat = createDateFormat({ day: 'numeric', month: 'short' });
const dayWithYear = createDateFormat({ day: 'numeric', month: 'short', year: 'numeric' });

/** `14:02` today, `20 Nov` this year, otherwise `20 Nov 2025`. */
export function formatDate(at: string, now: number): string {
  const date = new Date(at);
  if (midnight(now) === midnight(date.getTime())) return formatClock(at);
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return sameYear ? dayFormat(at) : dayWithYear(at);
}

interface Age {
  count: number;
  unit: 'second' | 'minute' | 'hour' | 'day';
}

const durationOf = (unit: Age['unit']) => createNumberFormat({ style: 'unit', unit, unitDisplay: 'short' });
const durations = {
  second: durationOf('second'),
  minute: durationOf('minute'),
  hour: durationOf('hour'),
  day: durationOf('day'),
};
const relative = createFormat((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }));

/** `2 min`. */
export function formatDuration({ count, unit }: Age): string {
  return pseudo(durations[unit](count));
}

/** `2 min ago`, `yesterday`. */
export function formatAgo({ count, unit }: Age): string {
  return pseudo(relative().format(-count, unit));
}

/** A short age: `now`, `12 sec`, `2 min`, `3 hr`, `yesterday`, `2 days`, `9 Nov`. */
export function formatAge(at: string, now: number): string {
  const age = ageOf({ at, now });
  if (!age) return formatDate(at, now);
  const isWord = age.count === 0 || (age.unit === 'day' && age.count === 1);
  return isWord ? formatAgo(age) : formatDuration(age);
}

/** An age for use in a sentence: `now`, `2 min ago`, `yesterday`, `9 Nov`. */
export function formatRelative(at: string, now: number): string {
  const age = ageOf({ at, now });
  if (age?.count === 0) return t.shell.just_now;
  return age ? formatAgo(age) : formatDate(at, now);
}

/** After 24 hours it counts days of the local calendar. Undefined after a week. */
function ageOf({ at, now }: { at: string; now: number }): Age | undefined {
  const passed = Math.max(0, now - Date.parse(at));
  if (passed < 2000) return { count: 0, unit: 'second' };
  if (passed < minuteMs) return { count: Math.floor(passed / 1000), unit: 'second' };
  if (passed < hourMs) return { count: Math.floor(passed / minuteMs), unit: 'minute' };
  if (passed < dayMs) return { count: Math.floor(passed / hourMs), unit: 'hour' };
  const count = Math.round((midnight(now) - midnight(Date.parse(at))) / dayMs);
  return count < 7 ? { count, unit: 'day' } : undefined;
}

/** The start of the local day. */
export function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** The text for a key that may have none, such as an error code. */
export function textFor(texts: Readonly<Record<string, string>>, key: string): string | undefined {
  return texts[key];
}

interface ProblemParts {
  code: string;
  /** The server's own sentence, for codes without a text. */
  detail?: string;
  errors?: readonly { pointer: string }[] | undefined;
}

/** The text for an error code. If only the end was rejected, the text names it, because some pages have no field for it. */
export function problemSentence({ code, detail = '', errors = [] }: ProblemParts): string {
  const isOfEnd = errors.length > 0 && errors.every(({ pointer }) => pointer === '/ends_at');
  const text = textFor({ ...t.shell.problems, ...t.problems }, isOfEnd ? 'field.ends_at' : code);
  return text ?? (detail === '' ? t.shell.unexpected : detail);
}
