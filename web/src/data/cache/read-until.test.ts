import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { minuteMs } from '@swarmdeck/bff/durations';
import { setLiveState } from '../stream/connection-status.ts';
import { forgetPage } from '../new-page.ts';
import { refetchOutdated } from './query-cache.ts';
import { oldestRead, readUntil } from './read-until.ts';

const start = Date.parse('2026-11-20T08:00:00Z');
let client: QueryClient;

beforeEach(() => {
  forgetPage();
  vi.useFakeTimers();
  vi.setSystemTime(start);
  client = new QueryClient();
});
afterEach(() => {
  setLiveState(undefined);
  client.clear();
  vi.useRealTimers();
});

const fail = (...queryKey: QueryKey) =>
  client
    .fetchQuery({ queryKey, queryFn: () => Promise.reject(new Error('away')), retry: false })
    .catch(() => undefined);
const query = (...key: string[]) => client.getQueryCache().find({ queryKey: key })!;
const minutes = (at: number | undefined) => at !== undefined && (at - start) / minuteMs;

test('the age of a page is that of its oldest data that ages', () => {
  client.setQueryData(['saved-views'], 1, { updatedAt: start - 9 * minuteMs });
  client.setQueryData(['devices'], 1, { updatedAt: start - 3 * minuteMs });
  client.setQueryData(['map'], 1);
  expect(minutes(oldestRead([query('saved-views'), query('devices'), query('map')]))).toBe(-3);
  expect(oldestRead([query('saved-views')])).toBeUndefined();
  client.setQueryDefaults(['shown-codes'], { meta: { isLocal: true } });
  client.setQueryData(['shown-codes'], 1);
  expect(oldestRead([query('shown-codes')])).toBeUndefined();
  // The badge of every page is read after the page.
  client.setQueryData(['invitations', 'count'], 1, { updatedAt: start - 9 * minuteMs });
  expect(minutes(oldestRead([query('invitations', 'count'), query('devices')]))).toBe(-3);
});

test('the stream keeps data current until it was last surely heard, except what an event says to read again', () => {
  client.setQueryData(['devices'], 1);
  client.setQueryData(['map'], 1);
  setLiveState('live');
  vi.setSystemTime(start + 10 * minuteMs);
  expect(minutes(readUntil(query('devices')))).toBe(10);
  void client.invalidateQueries({ queryKey: ['map'], refetchType: 'none' });
  setLiveState('disconnected');
  vi.setSystemTime(start + 20 * minuteMs);
  // A stream that is cut says nothing for a while before anybody knows.
  expect(minutes(readUntil(query('devices')))).toBe(9);
  expect(minutes(readUntil(query('map')))).toBe(0);
  client.setQueryData(['devices'], 2);
  expect(minutes(readUntil(query('devices')))).toBe(20);
});

test('the stream kept data current whose next read failed, but not what an event said to read again', async () => {
  client.setQueryData(['devices'], 1);
  client.setQueryData(['map'], 1);
  setLiveState('live');
  vi.setSystemTime(start + 10 * minuteMs);
  setLiveState('disconnected');
  await fail('devices');
  await fail('map');
  expect(minutes(readUntil(query('devices')))).toBe(9);
  // Known only now: the read that failed has invalidated it before.
  await refetchOutdated(client, { refetchLater: [['map']] });
  expect(minutes(readUntil(query('map')))).toBe(0);
  await fail('map');
  expect(minutes(readUntil(query('map')))).toBe(0);
  client.setQueryData(['map'], 2);
  expect(minutes(readUntil(query('map')))).toBe(10);
});

test('while the stream is live, data is current until its read failed', async () => {
  client.setQueryData(['devices'], 1);
  setLiveState('live');
  vi.setSystemTime(start + 10 * minuteMs);
  await fail('devices');
  vi.setSystemTime(start + 20 * minuteMs);
  expect(minutes(readUntil(query('devices')))).toBe(10);
});
