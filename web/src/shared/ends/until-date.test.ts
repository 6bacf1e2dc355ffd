import { beforeAll, expect, test } from 'vitest';
import { formatDayMonth } from '../../text/calendar.ts';
import { formatClock, loadTexts } from '../../text/text.ts';
import { formatEnd } from './until-date.tsx';

beforeAll(() => loadTexts('en'));

test('an end has no more words than it needs: the time of today, a whole day, or both', () => {
  const at = (text: string) => new Date(text).getTime();
  const now = at('2026-11-20T12:00:00');
  const end = (text: string) => formatEnd(new Date(at(text)).toISOString(), now);
  expect(end('2026-11-20T18:00:00')).toBe(formatClock(at('2026-11-20T18:00:00')));
  expect(end('2026-11-20T23:59:59.999')).toBe(formatClock(at('2026-11-20T23:59:59.999')));
  expect(end('2026-11-30T23:59:59.999')).toBe(formatDayMonth(at('2026-11-30T23:59:59.999')));
  expect(end('2027-01-31T23:59:59.999')).toContain('2027');
  expect(end('2026-11-21T10:15:00')).toBe(
    `${formatDayMonth(at('2026-11-21T10:15:00'))}, ${formatClock(at('2026-11-21T10:15:00'))}`,
  );
});
