import { expect, test } from 'vitest';
import { hourMs, minuteMs } from '@swarmdeck/bff/durations';
import {
  choiceUntil,
  chosenEnd,
  consentLimits,
  endOf,
  firstEnd,
  hasPossibleEnd,
  isPossible,
  linkLimits,
  possibleChoices,
} from './end-choices.ts';

const at = (text: string) => new Date(text).getTime();
const noon = at('2026-11-20T12:00:00');
const minutes = ['quarter', 'half', 'three_quarters'];
const offered = (ms: number) => consentLimits(new Date(noon + ms).toISOString());

test('an end is after some minutes, an hour, a day or a week, this evening, at a time, or at the end of a day', () => {
  expect(endOf({ choice: 'quarter', date: '' }, noon)).toBe(noon + 15 * minuteMs);
  expect(endOf({ choice: 'hour', date: '' }, noon)).toBe(noon + hourMs);
  expect(endOf({ choice: 'day', date: '' }, noon)).toBe(noon + 24 * hourMs);
  expect(endOf({ choice: 'week', date: '' }, noon)).toBe(noon + 7 * 24 * hourMs);
  expect(endOf({ choice: 'evening', date: '' }, noon)).toBe(at('2026-11-20T22:00:00'));
  expect(endOf({ choice: 'date', date: '2026-11-22' }, noon)).toBe(at('2026-11-22T23:59:59.999'));
  expect(endOf({ choice: 'date', date: '' }, noon)).toBeNaN();
  expect(endOf({ choice: 'half', date: '' }, noon)).toBe(noon + 30 * minuteMs);
  expect(endOf({ choice: 'three_quarters', date: '' }, noon)).toBe(noon + 45 * minuteMs);
  expect(endOf({ choice: 'time', date: '12:40' }, noon)).toBe(at('2026-11-20T12:40:00'));
  expect(endOf({ choice: 'time', date: '11:30' }, noon)).toBe(at('2026-11-21T11:30:00'));
  expect(endOf({ choice: 'time', date: '' }, noon)).toBeNaN();
});

test('this evening is offered until an hour before for a link', () => {
  expect(possibleChoices(at('2026-11-20T20:59:00'), linkLimits)).toContain('evening');
  expect(possibleChoices(at('2026-11-20T21:01:00'), linkLimits)).not.toContain('evening');
});

test('nothing after the latest end is offered, and a day only if one ends before it', () => {
  expect(possibleChoices(noon, offered(2 * hourMs))).toEqual([...minutes, 'hour', 'time']);
  expect(possibleChoices(noon, offered(13 * hourMs))).toEqual([...minutes, 'hour', 'evening', 'time', 'date']);
  expect(
    possibleChoices(at('2026-11-20T23:50:00'), consentLimits(new Date(at('2026-11-21T03:00:00')).toISOString())),
  ).toEqual([...minutes, 'hour', 'time']);
});

test('less than the hour that is offered can be chosen by the quarter, or as a time', () => {
  expect(possibleChoices(noon, offered(hourMs - 1))).toEqual([...minutes, 'time']);
  expect(possibleChoices(noon, offered(20 * minuteMs))).toEqual(['quarter', 'time']);
  const chosen = { choice: 'time', date: '12:50' } as const;
  expect(chosenEnd(chosen, noon, offered(hourMs))).toBe(new Date(noon + 50 * minuteMs).toISOString());
  expect(chosenEnd(chosen, noon, offered(45 * minuteMs))).toBeUndefined();
  // The next full minute is too late.
  expect(possibleChoices(noon + 1, offered(15 * minuteMs + 1))).toEqual(['quarter']);
});

test('a choice that has become impossible is still listed, so that the field shows what is sent', () => {
  const within = offered(20 * minuteMs);
  expect(possibleChoices(noon, within, 'three_quarters')).toEqual(['quarter', 'three_quarters', 'time']);
  expect(possibleChoices(noon, within, 'none')).toEqual(['quarter', 'time']);
});

test('a link lasts an hour at least, and 30 days at most', () => {
  expect(isPossible(noon + hourMs - 1, noon, linkLimits)).toBe(false);
  expect(isPossible(noon + 30 * 24 * hourMs, noon, linkLimits)).toBe(true);
  expect(isPossible(noon + 30 * 24 * hourMs + 1, noon, linkLimits)).toBe(false);
  expect(isPossible(Number.NaN, noon, linkLimits)).toBe(false);
});

test('a consent lasts a year at most', () => {
  expect(isPossible(noon + 366 * 24 * hourMs, noon, consentLimits(undefined))).toBe(true);
  expect(isPossible(noon + 367 * 24 * hourMs, noon, consentLimits(undefined))).toBe(false);
});

test('a consent may have no end, and an end that is not possible is none of both', () => {
  const within = offered(2 * hourMs);
  expect(chosenEnd({ choice: 'none', date: '' }, noon, within)).toBeNull();
  expect(chosenEnd({ choice: 'hour', date: '' }, noon, within)).toBe(new Date(noon + hourMs).toISOString());
  expect(chosenEnd({ choice: 'day', date: '' }, noon, within)).toBeUndefined();
  expect(chosenEnd({ choice: 'date', date: '' }, noon, within)).toBeUndefined();
});

test('a consent that is offered for less than 15 minutes has no earlier end, and a form begins with an hour if it can', () => {
  expect(hasPossibleEnd(noon, offered(15 * minuteMs - 1))).toBe(false);
  expect(hasPossibleEnd(noon, offered(15 * minuteMs))).toBe(true);
  expect(hasPossibleEnd(noon, consentLimits(undefined))).toBe(true);
  expect(firstEnd(noon, offered(hourMs - 1))).toEqual({ choice: 'quarter', date: '' });
  expect(firstEnd(noon, offered(2 * hourMs)).choice).toBe('hour');
});

test('a later end is after the present one', () => {
  const within = consentLimits(undefined, new Date(noon + 2 * hourMs).toISOString());
  expect(possibleChoices(noon, within)).toEqual(['evening', 'day', 'week', 'time', 'date']);
  expect(firstEnd(noon, within).choice).toBe('evening');
  expect(isPossible(noon + 2 * hourMs, noon, within)).toBe(false);
});

test('a form that begins with an end has this one, or the last one before it', () => {
  const until = (text: string) => choiceUntil(new Date(at(text)).toISOString(), noon);
  expect(until('2026-11-22T23:59:59.999')).toEqual({ choice: 'date', date: '2026-11-22' });
  expect(until('2026-11-22T15:00:00')).toEqual({ choice: 'date', date: '2026-11-21' });
  expect(until('2026-11-21T10:30:20')).toEqual({ choice: 'time', date: '10:30' });
  expect(until('2026-11-20T23:59:59.999')).toEqual({ choice: 'date', date: '2026-11-20' });
  expect(until('2026-11-20T12:14:00')).toEqual({ choice: 'date', date: '' });
  expect(until('2026-11-19T12:00:00')).toEqual({ choice: 'date', date: '' });
});
