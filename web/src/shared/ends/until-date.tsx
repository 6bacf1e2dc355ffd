import { t } from '../../text/text.ts';
import { Rich } from '../../ui/rich.tsx';
import { Time } from '../../ui/time.tsx';

/** The end of a consent, in a line of facts. */
export function UntilDate({ at }: { at: string }) {
  return <Rich text={t.ends.until_date} date={<Time at={at} form="date_time" />} />;
}
