import { pathTo } from '../../data/path-to.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { isDenied } from '../../data/problem.ts';
import { liveValuesQuery } from '../../data/values/live-values.ts';
import { withNewer, type Series, type Span } from '../../data/values/series.ts';
import {
  memberNamesQuery,
  rangeParams,
  recentValuesQuery,
  recordingMembersQuery,
  swarmValuesQuery,
  valueKeysQuery,
} from '../../data/values/values.api.ts';
import { keyParam, queryString } from '../../data/filter-params.ts';
import { formatDateTime, t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Chip } from '../../ui/symbols/chip.tsx';
import { Empty } from '../../ui/pages/empty.tsx';
import { LoadFailed } from '../../ui/pages/load-failed.tsx';
import { downloadCsv } from '../../shared/download-csv.ts';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { SkeletonRows } from '../../ui/pages/skeleton.tsx';
import { Bdi } from '../../ui/texts/rich.tsx';
import { useUrlState, type UrlCodec } from '../../ui/urls/url-state.ts';
import '../../ui/pages/box.css';
import { mostSeries } from './chart-look.ts';
import { ChartList } from './chart-list.tsx';
import { useChartValues } from './use-chart-values.ts';

interface Comparison {
  /** Empty: the one that most devices have. */
  key: string;
  /** Null: the first ones. Empty: the user has switched off the last one. */
  devices: readonly string[] | null;
}

const comparisonUrl: UrlCodec<Comparison> = {
  read: (params) => ({
    key: params.get('key') ?? '',
    devices: params.get('devices')?.split(',').filter(Boolean) ?? null,
  }),
  write: ({ key, devices }) => ({ key: key || undefined, devices: devices?.join(',') }),
};

/** One value of up to eight devices of a swarm, in one chart. */
export function SwarmValues({ swarm_id }: { swarm_id: string }) {
  const [isTogether, setTogether] = useState(true);
  const compared = useComparedKey(swarm_id);
  const { key, recent } = compared;
  const devices = useComparedDevices({ swarm_id, ...compared });
  const { chosen, nameOf } = devices;
  const live = useQuery(liveValuesQuery({ swarm_id, key, resource_ids: chosen })).data;
  const { range, read, first, series } = useChartValues({
    queryOf: (of) => swarmValuesQuery({ swarm_id, resource_ids: chosen, key, range: of }),
    live,
  });

  if (recent.isError && isDenied(recent.error))
    return <Empty icon="lock" title={t.values.denied_title} text={t.messages.denied_text} />;
  if (compared.isPending) return <SkeletonRows count={6} badge={false} label={t.values.loading} />;
  if (!recent.data) return <LoadFailed title={t.values.failed} query={recent} />;
  if (key === '') return <Empty icon="chart" title={t.values.none_title} text={t.values.none_in_swarm} />;
  // Those of another choice stay until these are read.
  const isChosen = (each: Series) => each.key === key && chosen.includes(each.resource_id);
  const placeOf = ({ resource_id }: Series) => chosen.indexOf(resource_id);
  const inOrder = (series ?? []).filter(isChosen).toSorted((a, b) => placeOf(a) - placeOf(b));
  const shown = inOrder.map((each) => ({ series: each, name: nameOf(each.resource_id), colour: placeOf(each) }));
  const isPending =
    devices.isUnknown ||
    (devices.none === null && shown.length === 0 && (read.isLoading || read.isPlaceholderData || first.isLoading));
  return (
    <div className="page-scroll">
      <section className="box swarm-values" aria-label={t.values.title}>
        <div className="line wraps box-text swarm-values-choice">
          <KeyChoice of={compared} />
          <DeviceChoice {...devices} />
        </div>
        {devices.none !== null && <p className="box-text quiet">{devices.none}</p>}
        {isPending && <SkeletonRows count={3} badge={false} label={t.values.loading} />}
        {read.isError && !read.data && <LoadFailed title={t.values.failed} query={read} />}
        {read.data && !isPending && devices.none === null && (
          <ChartList
            shown={shown}
            range={range}
            isTogether={isTogether}
            noneReason={reasonOfNone(read.data.since, range.span)}
            onTogether={setTogether}
            onExport={() =>
              void downloadCsv({ name: 'values.csv', path: filePath({ swarm_id, chosen, key, span: range.span }) })
            }
          />
        )}
      </section>
    </div>
  );
}

/** `since`: when the user began to see values. */
const reasonOfNone = (since: number | undefined, [from]: Span) =>
  since !== undefined && since > from ? t.values.seen_since(formatDateTime(since)) : undefined;

/** The key that is compared, and what is known of its values. */
function useComparedKey(swarm_id: string) {
  const [url, setUrl] = useUrlState(comparisonUrl);
  const recent = useQuery(recentValuesQuery(swarm_id));
  const live = useQuery(liveValuesQuery({ swarm_id })).data;
  const known = useMemo(() => withNewer(recent.data ?? [], live ?? []), [recent.data, live]);
  const recorded = useQuery(recordedKeysQuery(swarm_id));
  const keys = [...new Set([...keysOf(known), ...(recorded.data ?? []).map((each) => each.key)])];
  const key = url.key || (keys[0] ?? '');
  return {
    key,
    keys: [...new Set([key, ...keys])],
    recent,
    known,
    isPending: recent.isPending || (key === '' && recorded.isPending),
    choose: (next: string) => setUrl({ key: next, devices: null }),
  };
}

type ComparedKey = ReturnType<typeof useComparedKey>;

function KeyChoice({ of: { key, keys, choose } }: { of: ComparedKey }) {
  return (
    <label className="line">
      <span className="quiet">{t.values.key}</span>
      <Select value={key} options={keys.map((each) => ({ value: each, label: each }))} onChange={choose} />
    </label>
  );
}

/** The devices that are compared, and those that may be. */
function useComparedDevices({
  swarm_id,
  key,
  known,
  recent,
}: Pick<ComparedKey, 'key' | 'known' | 'recent'> & { swarm_id: string }) {
  const [url, setUrl] = useUrlState(comparisonUrl);
  const [q, setQ] = useState('');
  const recording = useQuery(recordingMembersQuery(swarm_id, { key, q, most: mostChoices }));
  const found = recording.data ?? [];
  const senders =
    q === '' ? [...new Set([...mostSent(recent.data ?? [], { key, found }), ...sendersOf(known, key)])] : found;
  const isUnknown = url.devices === null && key !== '' && (recording.isPending || recording.isPlaceholderData);
  const listed = [...new Set([...(url.devices ?? []), ...senders])].slice(0, mostChoices);
  const names = useQuery(memberNamesQuery(swarm_id, listed.toSorted())).data;
  // The swarm has no values of a device that has left it.
  const choices = listed.filter((id) => names?.[id] !== null);
  // In the order of their ids, so that the colours do not depend on which device has sent last.
  const first = isUnknown ? [] : choices.slice(0, mostSeries).toSorted();
  const chosen = url.devices ? choices.filter((id) => url.devices!.includes(id)) : first;
  const mayBeMore = listed.length >= mostChoices;
  return {
    chosen,
    /** Why none is compared; null if some are, or will be. */
    none: isUnknown || chosen.length > 0 ? null : noneText(url.devices),
    choices: [...new Set([...chosen, ...choices])],
    /** Which ones are shown first. */
    isUnknown,
    /** Null: not known. */
    count: mayBeMore ? null : choices.length,
    nameOf: (id: string) => names?.[id] ?? '…',
    toggle(id: string) {
      const isChosen = chosen.includes(id);
      if (!isChosen && chosen.length >= mostSeries) return;
      setUrl({ devices: isChosen ? chosen.filter((each) => each !== id) : [...chosen, id] });
    },
    search: {
      q,
      /** There may be more than the choices. */
      isPossible: q !== '' || mayBeMore,
      find(next: string) {
        // What is shown stays.
        setUrl({ devices: chosen });
        setQ(next);
      },
    },
  };
}

function noneText(asked: Comparison['devices']): string {
  if (asked === null) return t.values.none_title;
  return asked.length > 0 ? t.values.all_left : t.values.none_chosen;
}

function DeviceChoice({ chosen, choices, count, nameOf, toggle, search }: ReturnType<typeof useComparedDevices>) {
  /** Where there is little space, the devices are shown only then. */
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="row" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t.values.devices_shown(chosen.length, count)}
      </Button>
      <fieldset className="line wraps" aria-label={t.values.devices}>
        {choices.map((id) => (
          <Chip
            key={id}
            label={<Bdi className="one-line">{nameOf(id)}</Bdi>}
            pressed={chosen.includes(id)}
            onToggle={() => toggle(id)}
          />
        ))}
        <span className="quiet">{t.values.choose_devices(mostSeries)}</span>
      </fieldset>
      {search.isPossible && (
        <SearchField
          q={search.q}
          label={t.values.search_devices}
          placeholder={t.values.search_devices}
          onChange={search.find}
        />
      )}
    </>
  );
}

/** Read once: the page is open for long. */
const recordedKeysQuery = (swarm_id: string) => ({
  ...valueKeysQuery(`swarm:${swarm_id}`),
  refetchInterval: false as const,
});

/** A row of buttons. */
const mostChoices = 24;

/** By the number of devices that have them. Numbers are first. */
function keysOf(known: readonly Series[]): string[] {
  const byKey = [...Map.groupBy(known, ({ key }) => key)];
  const rank = (all: readonly Series[]) => all.length + (all[0]!.kind === 'number' ? 1e6 : 0);
  return byKey.toSorted(([, a], [, b]) => rank(b) - rank(a)).map(([key]) => key);
}

const sendersOf = (known: readonly Series[], key: string) =>
  known.filter((series) => series.key === key).map(({ resource_id }) => resource_id);

/**
 * Those that record first, because they have values of more than a day, then the others; of both, those that have sent most. `known` was read once:
 * live values would change the order. `found`: devices that record.
 */
function mostSent(known: readonly Series[], { key, found }: { key: string; found: readonly string[] }): string[] {
  const sent = new Map(known.filter((each) => each.key === key).map((each) => [each.resource_id, each.times.length]));
  const rank = (id: string) => (sent.get(id) ?? 0) + (found.includes(id) ? 1e6 : 0);
  return [...new Set([...sent.keys(), ...found])].toSorted((a, b) => rank(b) - rank(a));
}

interface FileOptions {
  swarm_id: string;
  chosen: readonly string[];
  key: string;
  span: readonly [number, number];
}

const filePath = ({ swarm_id, chosen, key, span }: FileOptions) =>
  pathTo(
    '/api/swarms/:id/values',
    { id: swarm_id },
    `${queryString({ format: 'csv', resource_ids: chosen.join(','), keys: keyParam(key) })}&${rangeParams({ span })}`,
  );
