import { useQuery } from '@tanstack/react-query';
import type { Resource } from '@swarmdeck/bff/contract';
import { deviceValuesQuery } from '../../data/values/values.api.ts';
import { formatValue } from '../../text/format-value.ts';
import { t } from '../../text/text.ts';
import { Time } from '../../ui/time.tsx';
import './last-values.css';

const day = { length: 24 * 3_600_000 };
/** More of them are on the page of the device. */
const mostShown = 4;

/** The last values of a device, on its card. Those that others may not read are not there. */
export function LastValues({ device }: { device: Pick<Resource, 'id' | 'keep_values'> }) {
  const { data } = useQuery(deviceValuesQuery({ device, range: day, isLive: false }));
  const last = (data?.series ?? []).map(({ id: series, key, times, values }) => ({
    id: series,
    key,
    at: times.at(-1) ?? 0,
    value: values.at(-1),
  }));
  const newest = last.toSorted((a, b) => b.at - a.at).slice(0, mostShown);
  if (newest.length === 0) return null;
  return (
    <dl className="last-values" aria-label={t.values.title}>
      {newest.map((each) => (
        <div key={each.id} className="line baseline">
          <dt className="quiet one-line">
            <bdi>{each.key}</bdi>
          </dt>
          <dd className="strong numbers one-line">
            <bdi>{formatValue(each.value ?? '')}</bdi>
          </dd>
          <dd className="quiet to-end">
            <Time at={new Date(each.at).toISOString()} form="age" />
          </dd>
        </div>
      ))}
    </dl>
  );
}
