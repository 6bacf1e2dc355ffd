import { pathTo } from '../../data/path-to.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Resource, Swarm } from '@swarmdeck/bff/contract';
import { readableSwarms } from '../../data/cache/sent-messages.ts';
import { isLive } from '../../data/stream/connection-status.ts';
import { liveValuesQuery } from '../../data/values/live-values.ts';
import { deviceValuesQuery, rangeParams } from '../../data/values/values.api.ts';
import { formatDateTime, t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { LoadFailedNote } from '../../ui/pages/load-failed.tsx';
import { Note } from '../../ui/toasts/notice.tsx';
import { downloadCsv } from '../../shared/download-csv.ts';
import { SkeletonRows } from '../../ui/pages/skeleton.tsx';
import { ChartList } from './chart-list.tsx';
import { RecordedKeys } from './recorded-keys.tsx';
import { useChartValues } from './use-chart-values.ts';

interface DeviceValuesProps {
  device: Resource;
  /** The swarms of the user's own device. */
  swarms: Swarm[];
  /** To one of its swarms at least. */
  sends: boolean;
}

/** What the user's own device has said over time. */
export function DeviceValues({ device, swarms, sends }: DeviceValuesProps) {
  const isRecorded = device.keep_values !== undefined;
  // With its own times, it says what was before: the stream would put it at the end.
  const isStreamed = device.keep_values !== 'time' && readableSwarms(device, swarms).length === swarms.length;
  const live = useQuery(liveValuesQuery({ resource_id: device.id })).data;
  const { range, read, first, series, isChosen } = useChartValues({
    queryOf: (of) => deviceValuesQuery({ device, range: of, isLive: isStreamed && isLive() }),
    live: isStreamed ? live : undefined,
    isShort: !isRecorded,
  });
  const [isTogether, setTogether] = useState(false);
  const shown = useMemo(() => series?.map((each) => ({ series: each, name: each.key })), [series]);
  const since = read.data?.keptSince ? t.values.recorded_since(formatDateTime(read.data.keptSince)) : undefined;
  const isEmpty = shown?.length === 0 && !isChosen;
  // Another range is read before.
  const hasNone = isEmpty && !first.isLoading && !first.isError;
  if (!sends && hasNone) {
    if (swarms.length > 0) return null;
    return (
      <Box title={t.values.title}>
        <p className="box-text quiet">{t.values.no_swarm}</p>
      </Box>
    );
  }
  return (
    <Box title={t.values.title}>
      {read.data?.isFull && (
        <div className="box-text">
          <Note tone="warn" icon="warning">
            {t.values.full}
          </Note>
        </div>
      )}
      {(read.isPending || (isEmpty && first.isLoading)) && (
        <SkeletonRows count={3} badge={false} label={t.values.loading} />
      )}
      {isRecorded && read.data?.keptSince && <RecordedKeys resource_id={device.id} read={read.data} />}
      {read.isError && !shown && <LoadFailedNote className="box-row" title={t.values.failed} query={read} />}
      {isEmpty && first.isError && <LoadFailedNote className="box-row" title={t.values.failed} query={first} />}
      {hasNone && <p className="box-text quiet">{[since, t.values.none].filter(Boolean).join(' ')}</p>}
      {shown && !isEmpty && (
        <ChartList
          shown={shown}
          range={range}
          isTogether={isTogether}
          isShort={!isRecorded}
          onTogether={setTogether}
          onExport={() =>
            void downloadCsv({
              name: 'values.csv',
              path: pathTo(
                '/api/resources/:id/values',
                { id: device.id },
                `format=csv&${rangeParams({ span: range.span })}`,
              ),
            })
          }
        >
          <p className="box-text quiet">
            {read.data?.keptSince
              ? t.values.recorded_since(formatDateTime(read.data.keptSince))
              : t.values.not_recorded}
          </p>
        </ChartList>
      )}
    </Box>
  );
}
