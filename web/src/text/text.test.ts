import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ProblemCode } from '@swarmdeck/bff/contract';
import { problems as germanProblems } from './de/problems.ts';
import { shell as germanShell } from './de/shell.ts';
import { texts as english } from './en/index.ts';
import { plural } from './en/plural.ts';
import { formatDay, formatDayMonth } from './calendar.ts';
import { pseudo, pseudoDictionary } from './pseudo.ts';
import { countryName, formatClockSeconds, formatDateTimeSeconds, formatPosition, joinList } from './formats.ts';
import {
  formatAge,
  formatClock,
  formatDate,
  formatDateTime,
  formatNumber,
  formatRelative,
  languages,
  loadTexts,
  problemSentence,
  t,
} from './text.ts';

const now = Date.parse('2026-11-20T12:00:00.000Z');
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

test('a page that stays open while its user travels shows the times of the new time zone', async () => {
  // the format of German times does not depend on the machine
  await loadTexts('de');
  const zone = process.env.TZ;
  onTestFinished(async () => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
    await loadTexts('en');
  });
  const shown = () => [formatClock(now), formatDateTime(now), formatDayMonth(now + 12 * hour * 1000)];
  process.env.TZ = 'Europe/Berlin';
  expect(shown()).toEqual(['13:00', expect.stringMatching(/^20\D.*2026, 13:00$/), expect.stringMatching(/^21\D/)]);
  process.env.TZ = 'America/New_York';
  expect(shown()).toEqual(['07:00', expect.stringMatching(/^20\D.*2026, 07:00$/), expect.stringMatching(/^20\D/)]);
});

test.each([
  [0, 'now'],
  [12, '12 sec'],
  [2 * minute + 59, '2 min'],
  [59 * minute + 59, '59 min'],
  [3 * hour, '3 hr'],
  [day, 'yesterday'],
  [2 * day, '2 days'],
  [6 * day, '6 days'],
])('an age of %i seconds reads %s', (seconds, text) => {
  expect(formatAge(ago(seconds), now)).toBe(text);
});

test('a relative time is a number with "ago", or a word', () => {
  expect(formatRelative(ago(5 * hour), now)).toBe('5 hr. ago');
  expect(formatRelative(ago(day), now)).toBe('yesterday');
  expect(formatRelative(ago(0), now)).toBe('now');
});

test('in a German sentence, what has just happened did so "gerade", not "jetzt"', async () => {
  await loadTexts('de');
  onTestFinished(() => loadTexts('en'));
  expect(formatRelative(ago(0), now)).toBe('gerade');
  expect(formatAge(ago(0), now)).toBe('jetzt');
});

test('an age of more than a week is a date, with the year if it is another year', () => {
  expect(formatAge(ago(9 * day), now)).toMatch(/11/);
  expect(formatAge(ago(9 * day), now)).not.toMatch(/2026/);
  expect(formatAge(ago(400 * day), now)).toMatch(/2025/);
});

test('a date of today is a time', () => {
  expect(formatDate(ago(60), now)).toMatch(/^\d\d:\d\d/);
  expect(formatDate(ago(2 * day), now)).toMatch(/18/);
});

test('a time in the future is "now", because clocks differ', () => {
  expect(formatAge(ago(-90), now)).toBe('now');
});

test('a day in UTC is today, yesterday or a date', () => {
  expect(formatDay('2026-11-20', now)).toBe('today');
  expect(formatDay('2026-11-19', now)).toBe('yesterday');
  expect(formatDay('2026-11-02', now)).toMatch(/^(2 Nov|Nov 2)$/);
});

test('the day of an instant is that of the user’s time zone', async () => {
  const zone = process.env['TZ'];
  const evening = Date.parse('2026-11-20T01:00:00.000Z');
  try {
    process.env['TZ'] = 'America/Los_Angeles';
    await loadTexts('en');
    expect(formatDay('2026-11-19T18:00:00.000Z', evening)).toBe('today');
    expect(formatDay('2026-11-19T02:00:00.000Z', evening)).toBe('yesterday');
    process.env['TZ'] = 'Asia/Tokyo';
    await loadTexts('en');
    expect(formatDay('2025-12-31T16:00:00.000Z', evening)).toMatch(/^(1 Jan|Jan 1)$/);
    // A day that an earlier version has stored.
    expect(formatDay('2025-11-02', evening)).toMatch(/\b2\b.*2025/);
  } finally {
    process.env['TZ'] = zone;
    await loadTexts('en');
  }
});

test('a time that comes twice in a night is told apart by its zone, and no other time has one', async () => {
  const zone = process.env['TZ'];
  const all = [formatClock, formatClockSeconds, formatDateTime, formatDateTimeSeconds];
  try {
    process.env['TZ'] = 'Europe/Berlin';
    await loadTexts('en');
    const first = '2026-10-25T00:30:00Z';
    const second = '2026-10-25T01:30:00Z';
    for (const format of all)
      expect([first, second].map(format).join()).toMatch(/2:30.* (CEST|GMT\+2),.*2:30.* (CET|GMT\+1)$/);
    // The hours before and after, and the night in which an hour is left out.
    const once = ['2026-10-24T23:59:59Z', '2026-10-25T02:00:00Z', '2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z'];
    for (const format of all) expect(once.map(format).join()).not.toMatch(/CE?S?T|GMT/);
    expect(formatDayMonth(first)).not.toMatch(/CE?S?T|GMT/);
    process.env['TZ'] = 'Australia/Lord_Howe';
    await loadTexts('en');
    // Half an hour comes twice.
    expect(formatClock('2026-04-04T14:45:00Z')).toMatch(/^01:45.* GMT\+11$/);
    expect(formatClock('2026-04-04T15:15:00Z')).toMatch(/^01:45.* GMT\+10:30$/);
    expect(formatClock('2026-04-04T14:15:00Z')).not.toContain('GMT');
  } finally {
    process.env['TZ'] = zone;
    await loadTexts('en');
  }
});

test('"yesterday" is the day before today on the local calendar, not 24 to 48 hours ago', () => {
  const at = (text: string) => new Date(text).toISOString();
  const evening = new Date('2026-11-20T22:00:00').getTime();
  const morning = new Date('2026-11-20T06:00:00').getTime();
  expect(formatAge(at('2026-11-19T21:00:00'), evening)).toBe('yesterday');
  expect(formatAge(at('2026-11-18T23:00:00'), morning)).toBe('2 days');
  expect(formatAge(at('2026-11-19T07:00:00'), morning)).toBe('23 hr');
});

test('a position has six decimals and decimal points', () => {
  expect(formatPosition({ latitude: 52.9, longitude: -12.29604 })).toBe('52.900000, -12.296040');
});

test('a plural follows its count', () => {
  const forms = { one: 'device', other: 'devices' };
  expect([0, 1, 2, 101].map((count) => plural(count, forms))).toEqual(['devices', 'device', 'devices', 'devices']);
});

test('a list is joined with commas and "and"', () => {
  expect(joinList(['a', 'b', 'c'])).toMatch(/^a, b,? and c$/);
});

test('a problem without a text of the app has the detail of the server, and is never empty', () => {
  expect(problemSentence({ code: 'storage.full', detail: 'x' })).toMatch(/disk is full/);
  expect(problemSentence({ code: 'swarm.unheard_of', detail: 'The swarm sleeps' })).toBe('The swarm sleeps');
  expect(problemSentence({ code: '' })).not.toBe('');
});

/** Only programs get these: the app sends no such request, or does not show the error. */
type OfPrograms =
  | 'body.encoded'
  | `idempotency.${'key_invalid' | 'other_body'}`
  | `key.${'invalid' | 'not_allowed' | 'scope' | 'throttled'}`
  | `request.${'aborted' | 'method_override' | 'unreadable'}`
  | 'route.method_not_allowed'
  | `tile.${'away' | 'not_found'}`;
/** A type check fails if a code of the server has no text in one of the languages. */
type ProblemTexts = Readonly<Record<Exclude<ProblemCode, OfPrograms>, string>>;

test.each<[string, ProblemTexts]>([
  ['English', { ...english.shell.problems, ...english.problems }],
  ['German', { ...germanShell.problems, ...germanProblems }],
])('every problem that the server may answer the app with has a text in %s', (_language, texts) => {
  expect(Object.values(texts)).not.toContain('');
});

test.each([
  { language: 'en', all: 'the owner, managers and watchers can be notified.', owner: 'owner, ' },
  { language: 'de', all: 'können Besitzer, Verwalter und Beobachter benachrichtigt werden.', owner: 'Besitzer, ' },
] as const)('each consent to a membership says who can be notified of silence: $language', async (expected) => {
  onTestFinished(() => loadTexts('en'));
  await loadTexts(expected.language);
  const { invitations, links, requests, bulk } = t;
  const consents = [invitations.consent, invitations.bulk.consent, invitations.bulk.consent_one, requests.consent];
  for (const text of [...consents, links.join.consent(2)]) expect(text.replaceAll('*', '')).toContain(expected.all);
  // The swarm is the user's own.
  expect(bulk.actions.add_to_swarm.text).toContain(expected.all.replace(expected.owner, ''));
});

const plain = (text: string) => text.replaceAll('\u{200f}', '');

test('the pseudo language reverses words and keeps numbers, punctuation and placeholders', () => {
  expect(plain(pseudo('Then on to {page}, 3 min'))).toBe('nehT no ot {page}, 3 nim');
});

test('the arguments of a dictionary function are not reversed', () => {
  const entries = pseudoDictionary({
    title: 'Devices',
    inner: { leave: (name: string, count: number) => `Leave ${name} and ${count} more` },
  });
  expect(plain(entries.title)).toBe('seciveD');
  expect(plain(entries.inner.leave('Frost watch', 2))).toBe('evaeL Frost watch dna 2 erom');
});

describe.each([...languages, 'en-XR'])('every text in %s', (language) => {
  type Entry = readonly [path: string, text: unknown];
  const entriesOf = (value: unknown, path: string): Entry[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => entriesOf(inner, path === '' ? key : `${path}.${key}`))
      : [[path, value]];
  const given = [
    [1, 1, 1],
    [2, 3, 4],
  ];
  const rendered = (text: unknown) =>
    typeof text === 'function'
      ? given.map((values) => String((text as (...values: unknown[]) => unknown)(...values)))
      : [String(text)];
  const placeholders = (text: unknown) =>
    [
      ...new Set(
        rendered(text)
          .join(' ')
          .match(/\{\w+\}/gu) ?? [],
      ),
    ].toSorted();

  afterEach(() => loadTexts('en'));

  test('has the keys and placeholders of English, and renders', async () => {
    await loadTexts('en');
    const english = entriesOf(t, '');
    await loadTexts(language);
    const translated = new Map(entriesOf(t, ''));
    expect([...translated.keys()]).toEqual(english.map(([path]) => path));
    for (const [path, text] of english) {
      const own = translated.get(path);
      expect(placeholders(own), path).toEqual(placeholders(text));
      for (const one of rendered(own)) {
        expect(one.trim(), path).not.toBe('');
        expect(one, path).not.toMatch(/undefined|\[object|NaN|#/u);
      }
    }
  });
});

describe('in German', () => {
  const inGerman = async () => loadTexts('de');
  afterEach(() => loadTexts('en'));

  test('numbers, ages, dates and lists follow the language, and coordinates keep the point', async () => {
    await inGerman();
    expect(formatNumber(1234.5)).toBe('1.234,5');
    expect(formatNumber(1234567)).toBe('1.234.567');
    expect(formatNumber(0.0004)).toBe('0,0004');
    expect(formatAge(ago(day), now)).toBe('gestern');
    expect(formatRelative(ago(5 * hour), now)).toBe('vor 5 Std.');
    expect(formatDay('2025-11-02', now)).toMatch(/2\D+11\D+2025|2\. Nov\S* 2025/);
    expect(joinList(['a', 'b', 'c'])).toBe('a, b und c');
    expect(formatPosition({ latitude: 52.9, longitude: -12.29604 })).toBe('52.900000, -12.296040');
    expect(countryName('DE')).toBe('Deutschland');
  });

  test('a plural follows its count', async () => {
    await inGerman();
    expect([1, 2, 1000].map((count) => t.devices.counted(count))).toEqual(['1 Gerät', '2 Geräte', '1.000 Geräte']);
  });

  test('the texts of a problem are German', async () => {
    await inGerman();
    expect(problemSentence({ code: 'sign_in.wrong_password', detail: 'Incorrect user name or password' })).toBe(
      'Benutzername oder Passwort ist falsch.',
    );
  });
});
