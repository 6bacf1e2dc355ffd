import { formatClock, formatDate, formatDateTime, t } from '../../text/text.ts';
import { Rich } from '../../ui/texts/rich.tsx';
import { useNow } from '../../ui/texts/time.tsx';

/** `18:00` today, `30 Nov` for the end of that day, otherwise `30 Nov, 10:15`. */
export function formatEnd(at: string, now: number): string {
  const end = new Date(at);
  const isToday = end.toDateString() === new Date(now).toDateString();
  const isEndOfDay = end.getTime() === new Date(end).setHours(23, 59, 59, 999);
  return isToday || isEndOfDay ? formatDate(at, now) : `${formatDate(at, now)}, ${formatClock(at)}`;
}

/** When a link or a consent ends. */
export function EndTime({ at }: { at: string }) {
  return (
    <time className="numbers" dateTime={at} title={formatDateTime(at)}>
      {formatEnd(at, useNow())}
    </time>
  );
}

/** The end in a line of facts. `instead`: the end that it replaces. */
export function UntilDate({ at, instead }: { at: string; instead?: string | undefined }) {
  if (instead === undefined) return <Rich text={t.ends.until_date} date={<EndTime at={at} />} />;
  return <Rich text={t.ends.until_instead} date={<EndTime at={at} />} now={<EndTime at={instead} />} />;
}
