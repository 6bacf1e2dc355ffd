import { useQuery } from '@tanstack/react-query';
import { lastValuesQuery } from '../../data/values/values.api.ts';
import { formatValue } from '../../text/format-value.ts';
import { t } from '../../text/text.ts';
import { Time } from '../../ui/texts/time.tsx';
import { Bdi } from '../../ui/texts/rich.tsx';
import './last-values.css';

/** More of them are on the page of the device. */
const mostShown = 4;

/** The last values of a device, on its card. Those that others may not read are not there. */
export function LastValues({ resource_id }: { resource_id: string }) {
  const { data } = useQuery(lastValuesQuery(resource_id));
  const last = (data ?? []).map(({ id, key, times, values }) => ({ id, key, at: times[0]!, value: values[0]! }));
  const newest = last.toSorted((a, b) => b.at - a.at).slice(0, mostShown);
  if (newest.length === 0) return null;
  return (
    <dl className="last-values" aria-label={t.values.title}>
      {newest.map((each) => (
        <div key={each.id} className="line baseline">
          <dt className="quiet one-line">
            <Bdi>{each.key}</Bdi>
          </dt>
          <dd className="strong numbers one-line">
            <Bdi>{formatValue(each.value)}</Bdi>
          </dd>
          <dd className="quiet to-end">
            <Time at={new Date(each.at).toISOString()} form="age" />
          </dd>
        </div>
      ))}
    </dl>
  );
}
