import type { Position } from '@swarmdeck/bff/contract';
import type { de } from './de/de.ts';
import type { en } from './en/en.ts';
import { language, localeOf } from './language.ts';
import type { Language } from './language.ts';
import { pseudo, pseudoDictionary } from './pseudo.ts';

/** A name, the same in every language. */
export const product = 'Swarmdeck';

/** The names of the placeholders in a text: `by {owner}` has `owner`. */
type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** `Text` if it has the placeholders of `Original`; otherwise a type that no text has. */
type WithPlaceholders<Original extends string, Text extends string> = [Placeholders<Original>] extends [
  Placeholders<Text>,
]
  ? [Placeholders<Text>] extends [Placeholders<Original>]
    ? string
    : { wrongPlaceholder: Exclude<Placeholders<Text>, Placeholders<Original>> }
  : { missingPlaceholder: Exclude<Placeholders<Original>, Placeholders<Text>> };

type TextFunction = (...given: never[]) => string;

/** The type that `Translated` must have: the keys, parameters and placeholders of `Original`. */
type Translation<Original, Translated> = {
  readonly [Key in keyof Original]: Key extends keyof Translated
    ? TranslatedText<Original[Key], Translated[Key]>
    : Original[Key];
};

type TranslatedText<Original, Translated> = Original extends string
  ? Translated extends string
    ? WithPlaceholders<Original, Translated>
    : string
  : Original extends TextFunction
    ? Translated extends TextFunction
      ? (...given: Parameters<Original>) => WithPlaceholders<ReturnType<Original>, ReturnType<Translated>>
      : Original
    : Translation<Original, Translated>;

export type Texts = Translation<typeof en, typeof en>;

/**
 * The texts of the app in the user's language. Undefined until `loadFirstTexts` or `loadTexts` has resolved, so read it in
 * functions. Code that loads with the home page may use `devices`, `map` and `shell` only.
 */
export let t: Texts;

let isComplete = false;

let formats = createFormats('en');

/** A missing key or a wrong placeholder of a language fails the type check here. */
const load: { [Each in Language]: () => Promise<Texts> } = {
  en: async (): Promise<Texts> => (await import('./en/en.ts')).en,
  de: async (): Promise<Translation<typeof en, typeof de>> => (await import('./de/de.ts')).de,
  'en-XR': async (): Promise<Texts> => pseudoDictionary<Texts>((await import('./en/en.ts')).en),
};

type FirstTexts = Pick<Texts, 'devices' | 'map' | 'shell'>;

const loadFirst: { [Each in Language]: () => Promise<FirstTexts> } = {
  en: async (): Promise<FirstTexts> => (await import('./en/first.ts')).first,
  de: async () => (await import('./de/first.ts')).first,
  'en-XR': async () => pseudoDictionary<FirstTexts>((await import('./en/first.ts')).first),
};

/** Loads the texts that the home page needs at first. A change of language loads the page again. */
export async function loadFirstTexts(): Promise<void> {
  const first = await loadFirst[language]();
  if (isComplete) return;
  t = first as Texts;
  formats = createFormats(language);
}

/** Loads all texts of a language. */
export async function loadTexts(wanted: Language = language): Promise<void> {
  t = await load[wanted]();
  formats = createFormats(wanted);
  isComplete = true;
}

/** Loads all texts, unless they have been loaded. */
export async function completeTexts(): Promise<void> {
  if (!isComplete) await loadTexts();
}

function createFormats(wanted: Language) {
  const locale = localeOf(wanted);
  const dateFormat = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, options);
    return (at: string | number) => pseudoDates(format.format(new Date(at)));
  };
  const pseudoDates = (text: string) => (wanted === 'en-XR' ? pseudo(text) : text);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return {
    locale,
    number: new Intl.NumberFormat(locale),
    list: new Intl.ListFormat(locale, { type: 'conjunction' }),
    daysAgo: (days: number) => pseudoDates(relative.format(-days, 'day')),
    clock: dateFormat({ hour: '2-digit', minute: '2-digit' }),
    clockSeconds: dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    dateTime: dateFormat({ dateStyle: 'medium', timeStyle: 'short' }),
    date: dateFormat({ day: 'numeric', month: 'short' }),
    dateWithYear: dateFormat({ day: 'numeric', month: 'short', year: 'numeric' }),
    monthYear: dateFormat({ month: 'long', year: 'numeric' }),
    utcDate: dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' }),
    utcDateWithYear: dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }),
  };
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export function formatNumber(value: number): string {
  return formats.number.format(value);
}

/** `a, b and c`. */
export function joinList(items: Iterable<string>): string {
  return formats.list.format(items);
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

/** `20 Nov`; with the year if it is not the current one. */
export function formatDate(at: string, now: number): string {
  const date = new Date(at);
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return sameYear ? formats.date(at) : formats.dateWithYear(at);
}

/**
 * A short age: `12 s`, `2 min`, `3 h`, `yesterday`, `2 d`, `9 Nov`. After 24 hours it counts days of the local
 * calendar.
 */
export function formatAge(at: string, now: number): string {
  return aged({ at, now }).text;
}

/** An age for use in a sentence: `2 min ago`, `yesterday`, `9 Nov`. */
export function formatRelative(at: string, now: number): string {
  const { text, counted } = aged({ at, now });
  return counted ? t.shell.age.ago(text) : text;
}

function aged({ at, now }: { at: string; now: number }): { text: string; counted: boolean } {
  const passed = Math.max(0, now - Date.parse(at));
  const count = (unit: number) => formats.number.format(Math.floor(passed / unit));
  if (passed < 2000) return { text: t.shell.age.now, counted: false };
  if (passed < minute) return { text: t.shell.age.seconds(count(1000)), counted: true };
  if (passed < hour) return { text: t.shell.age.minutes(count(minute)), counted: true };
  if (passed < day) return { text: t.shell.age.hours(count(hour)), counted: true };
  const days = Math.round((midnight(now) - midnight(Date.parse(at))) / day);
  if (days === 1) return { text: formats.daysAgo(1), counted: false };
  if (days < 7) return { text: t.shell.age.days(formats.number.format(days)), counted: true };
  return { text: formatDate(at, now), counted: false };
}

/** The start of the local day. */
function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** `today`, `yesterday` or `9 Nov`, for a day in UTC such as `2026-11-09`. */
export function formatDay(day: string, now: number): string {
  const today = new Date(now).toISOString().slice(0, 10);
  const ago = Math.round((Date.parse(today) - Date.parse(day)) / (24 * hour));
  if (ago <= 1) return formats.daysAgo(Math.max(0, ago));
  return day.slice(0, 4) === today.slice(0, 4) ? formats.utcDate(day) : formats.utcDateWithYear(day);
}

/** `November 2026`. */
export function formatMonth(at: string): string {
  return formats.monthYear(at);
}

/** The text for a key that may have none, such as an error code. */
export function textFor(texts: Readonly<Record<string, string>>, key: string): string | undefined {
  return texts[key];
}

/** The text for an error code. `detail` is the server's own sentence, for codes without a text. */
export function problemSentence({ code, detail = '' }: { code: string; detail?: string }): string {
  return textFor(t.shell.problems, code) ?? (detail === '' ? t.shell.unexpected : detail);
}
