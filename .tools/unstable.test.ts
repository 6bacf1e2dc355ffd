import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordUnstable } from './unstable.ts';

test('an unstable test passes once in 30 days, and the file says when', () => {
  const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-unstable-'));
  try {
    const file = join(folder, 'tests.txt');
    const record = (day: string, ...unstable: string[]) => {
      const { passed, failed } = recordUnstable({ passed: 9, failed: 0, unstable }, { file, now: new Date(day) });
      return [passed, failed];
    };
    expect(record('2026-11-01')).toEqual([9, 0]);
    expect(record('2026-11-01', 'slow', 'late')).toEqual([9, 0]);
    expect(record('2026-11-30', 'slow', 'other')).toEqual([8, 1]);
    expect(record('2026-12-31', 'slow')).toEqual([9, 0]);
    const days = readFileSync(file, 'utf8').split('\n').slice(0, 4);
    expect(days).toEqual(['2026-11-01 slow', '2026-11-01 late', '2026-11-30 slow', '2026-11-30 other']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
