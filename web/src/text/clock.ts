import { locale } from './language.ts';

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** `14:32:08`, local. */
export function formatClockSeconds(at: number): string {
  return clock.format(new Date(at));
}
