/** What is deleted of a device once it is no longer recorded. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { RecordedField } from '@swarmdeck/bff/contract';
import { dayMs } from '@swarmdeck/bff/durations';
import { trackQuery } from '../data/cache/track.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import { read } from '../data/client.ts';
import { pathTo } from '../data/path-to.ts';
import { formatDateTime, t } from '../text/text.ts';
import { Button } from '../ui/buttons/button.tsx';
import { downloadCsv } from './download-csv.ts';

interface DeletedRecordsProps {
  resource_id: string;
  fields: readonly RecordedField[];
}

/** Names it, with its number or its beginning once these are known, and offers the values as a file. */
export function DeletedRecords({ resource_id, fields }: DeletedRecordsProps) {
  return (
    <ul className="stack gap-2">
      {fields.includes('keep_track') && <TrackItem id={resource_id} />}
      {fields.includes('keep_values') && <ValuesItem id={resource_id} />}
    </ul>
  );
}

function TrackItem({ id }: { id: string }) {
  const { data: points } = useQuery(trackQuery(id));
  const say = t.device.records;
  const first = points?.[0];
  return (
    <li>{first ? say.track_since(points.length, formatDateTime(first.at)) : points ? say.no_track : say.track}</li>
  );
}

function ValuesItem({ id }: { id: string }) {
  const { data: since } = useQuery(recordedSinceQuery(id));
  const say = t.device.records;
  if (since === null) return null;
  return (
    <li className="line wraps gap-2">
      {since === undefined ? say.values : say.values_since(formatDateTime(since))}
      <Button
        size="row"
        icon="download"
        onClick={() => void downloadCsv({ name: 'values.csv', path: recordedValuesPath(id) })}
      >
        {say.export_values}
      </Button>
    </li>
  );
}

/** Since when the values of a device are recorded. Null: they are not. */
const recordedSinceQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.values.recordedSince(id),
    queryFn: async ({ signal }) =>
      (await read('/api/resources/:id/values', { id }, { query: 'last=yes', signal })).kept_since,
    gcTime: 0,
  });

const year = 366 * dayMs;

/** The file with all values that are recorded. */
const recordedValuesPath = (id: string) =>
  pathTo('/api/resources/:id/values', { id }, `format=csv&from=${new Date(Date.now() - year).toISOString()}`);
