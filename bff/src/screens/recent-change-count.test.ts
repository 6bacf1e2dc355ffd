import { describe, expect, test } from 'vitest';
import { createRecentChangeCount, recentMs } from './recent-change-count.ts';

const start = Date.parse('2026-03-04T12:00:00.000Z');

describe('recent changes', () => {
  test('counts each device once, however often it changed', () => {
    const recent = createRecentChangeCount();
    for (let at = 0; at < 100; at++) recent.note(1 + (at % 4), start + at);
    expect(recent.countSince(start - 1)).toBe(4);
    expect(recent.newest).toBe(start + 99);
  });

  test('counts the changes after a time, recorded in any order', () => {
    const recent = createRecentChangeCount();
    for (const seconds of [30, 10, 50, 20]) recent.note(seconds, start + seconds * 1000);
    expect(recent.countSince(start + 20_000)).toBe(2);
  });

  test('does not count deleted devices', () => {
    const recent = createRecentChangeCount();
    recent.note(1, start);
    recent.note(2, start);
    recent.forget(1);
    recent.forget(3);
    expect(recent.countSince(start - 1)).toBe(1);
  });

  test('stores only recent changes, even if it is never read', () => {
    const recent = createRecentChangeCount();
    for (let ref = 1; ref <= 100_000; ref++) recent.note(ref, start + ref * 100);
    // Counting since 0 finds everything that is stored: at most twice the changes of a minute.
    expect(recent.countSince(0)).toBeLessThan(2 * (recentMs / 100) + 2000);
  });

  test('counts current changes after one with a future time', () => {
    let now = start;
    const recent = createRecentChangeCount({ clock: () => now });
    recent.note(1, start + 3_600_000);
    now += 90_000;
    recent.note(2, now);
    expect(recent.countSince(now - recentMs)).toBe(1);
    expect(recent.newest).toBe(now);
  });

  test('is empty at the start', () => {
    const recent = createRecentChangeCount();
    expect([recent.countSince(0), recent.newest]).toEqual([0, undefined]);
  });
});
