import { endOfDay } from '../../data/server-clock.ts';
import { t } from '../../text/text.ts';
import { TextField } from '../../ui/fields/field.tsx';

interface LastDayFieldProps {
  label: string;
  /** As a date input has it. */
  value: string;
  error: string | undefined;
  onChange(day: string): void;
}

/** The last day of a key or a link, which may have no end. */
export function LastDayField({ onChange, ...field }: LastDayFieldProps) {
  return <TextField type="date" optional {...field} onChange={(event) => onChange(event.currentTarget.value)} />;
}

export const lastDayError = (day: string, now: number) =>
  day !== '' && !(endOfDay(day).getTime() > now) ? t.links.until_past : undefined;

/** The end of what is created, as the server has it. */
export const endOfLastDay = (day: string) => (day === '' ? {} : { expires_at: endOfDay(day).toISOString() });
