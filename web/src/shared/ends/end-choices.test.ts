import { expect, test } from 'vitest';
import {
  chosenEnd,
  consentLimits,
  endOf,
  hasPossibleEnd,
  isPossible,
  longest,
  possibleChoices,
} from './end-choices.ts';

const at = (text: string) => new Date(text).getTime();
const hourMs = 3_600_000;
const link = { days: longest.link };

test('an end is after an hour, a day or a week, this evening, or at the end of a day', () => {
  const now = at('2026-11-20T12:00:00');
  expect(endOf({ choice: 'hour', date: '' }, now)).toBe(now + hourMs);
  expect(endOf({ choice: 'day', date: '' }, now)).toBe(now + 24 * hourMs);
  expect(endOf({ choice: 'week', date: '' }, now)).toBe(now + 7 * 24 * hourMs);
  expect(endOf({ choice: 'evening', date: '' }, now)).toBe(at('2026-11-20T22:00:00'));
  expect(endOf({ choice: 'date', date: '2026-11-22' }, now)).toBe(at('2026-11-22T23:59:59.999'));
  expect(endOf({ choice: 'date', date: '' }, now)).toBeNaN();
});

test('this evening is offered until an hour before, and nothing after the present end', () => {
  expect(possibleChoices(at('2026-11-20T20:59:00'), link)).toContain('evening');
  expect(possibleChoices(at('2026-11-20T21:01:00'), link)).not.toContain('evening');
  const now = at('2026-11-20T08:00:00');
  expect(possibleChoices(now, { ...link, latest: now + 2 * hourMs })).toEqual(['hour', 'date']);
});

test('a link lasts an hour at least, and 30 days at most', () => {
  const now = at('2026-11-20T12:00:00');
  expect(isPossible(now + hourMs - 1, now, link)).toBe(false);
  expect(isPossible(now + 30 * 24 * hourMs, now, link)).toBe(true);
  expect(isPossible(now + 30 * 24 * hourMs + 1, now, link)).toBe(false);
  expect(isPossible(Number.NaN, now, link)).toBe(false);
});

test('a consent lasts a year at most', () => {
  const now = at('2026-11-20T12:00:00');
  expect(isPossible(now + 366 * 24 * hourMs, now, { days: longest.consent })).toBe(true);
  expect(isPossible(now + 367 * 24 * hourMs, now, { days: longest.consent })).toBe(false);
});

test('a consent may have no end, and an end that is not possible is none of both', () => {
  const now = at('2026-11-20T12:00:00');
  const within = consentLimits(new Date(now + 2 * hourMs).toISOString());
  expect(chosenEnd({ choice: 'none', date: '' }, now, within)).toBeNull();
  expect(chosenEnd({ choice: 'hour', date: '' }, now, within)).toBe(new Date(now + hourMs).toISOString());
  expect(chosenEnd({ choice: 'day', date: '' }, now, within)).toBeUndefined();
  expect(chosenEnd({ choice: 'date', date: '' }, now, within)).toBeUndefined();
});

test('a consent that is offered for less than an hour has no earlier end', () => {
  const now = at('2026-11-20T12:00:00');
  const offered = (ms: number) => consentLimits(new Date(now + ms).toISOString());
  expect(hasPossibleEnd(now, offered(hourMs - 1))).toBe(false);
  expect(hasPossibleEnd(now, offered(hourMs))).toBe(true);
  expect(hasPossibleEnd(now, consentLimits(undefined))).toBe(true);
});
