import type { Position } from '@swarmdeck/bff/contract';
import { en } from './en.ts';
import type { Dictionary } from './en.ts';
import { language, locale } from './language.ts';
import { pseudo, pseudoDictionary } from './pseudo.ts';

/** A name, the same in every language. */
export const product = 'Swarmdeck';

/** Turns a section of the dictionary into the reader's language. */
export function localize<T>(section: T): T {
  return language === 'en-XR' ? pseudoDictionary(section) : section;
}

/** The dictionary in the reader's language. A change of language loads the page again. */
export const t: Dictionary = localize(en);

/** What the browser has put in words. */
export const spoken = (text: string): string => (language === 'en-XR' ? pseudo(text) : text);

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const number = new Intl.NumberFormat(locale);
const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const shortDate = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const fullDate = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });

/** `today`, `yesterday`: how many days ago. */
export function formatDaysAgo(days: number): string {
  return spoken(new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-days, 'day'));
}

export function formatNumber(value: number): string {
  return number.format(value);
}

/** Decimals of degrees on every screen, and of each position that is set on a map: a tenth of a metre. */
export const coordinateDecimals = 6;

/** `52.924000`: a point in every language, because a pair is written with a comma between. */
function formatCoordinate(degrees: number): string {
  return degrees.toFixed(coordinateDecimals);
}

/** As exact as a click or a marker can be. */
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
  return clock.format(new Date(at));
}

/** `20 Nov 2026, 14:02`, local. */
export function formatDateTime(at: string | number): string {
  return spoken(dateTime.format(new Date(at)));
}

/** `20 Nov`, with the year when it is not this one. */
export function formatDate(at: string, now: number): string {
  const date = new Date(at);
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return spoken((sameYear ? shortDate : fullDate).format(date));
}

/**
 * How old something is, as short as possible: `12 s`, `2 min`, `3 h`, `yesterday`, `2 d`, `9 Nov`. From 24 hours on,
 * days are days of the local calendar.
 */
export function formatAge(at: string, now: number): string {
  return aged({ at, now }).text;
}

/** The same within a sentence: `2 min ago`, `yesterday`, `9 Nov`. */
export function formatRelative(at: string, now: number): string {
  const { text, counted } = aged({ at, now });
  return counted ? t.shell.age.ago(text) : text;
}

function aged({ at, now }: { at: string; now: number }): { text: string; counted: boolean } {
  const passed = Math.max(0, now - Date.parse(at));
  const count = (unit: number) => number.format(Math.floor(passed / unit));
  if (passed < 2000) return { text: t.shell.age.now, counted: false };
  if (passed < minute) return { text: t.shell.age.seconds(count(1000)), counted: true };
  if (passed < hour) return { text: t.shell.age.minutes(count(minute)), counted: true };
  if (passed < day) return { text: t.shell.age.hours(count(hour)), counted: true };
  const days = Math.round((midnight(now) - midnight(Date.parse(at))) / day);
  if (days === 1) return { text: formatDaysAgo(1), counted: false };
  if (days < 7) return { text: t.shell.age.days(number.format(days)), counted: true };
  return { text: formatDate(at, now), counted: false };
}

/** The start of the local day. */
function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** What to tell the reader about an error that carries a code; `detail` is the server's own sentence. */
export function problemSentence({ code, detail = '' }: { code: string; detail?: string }): string {
  return t.shell.problems[code] ?? (detail === '' ? t.shell.unexpected : detail);
}
