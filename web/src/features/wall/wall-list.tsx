import { useState } from 'react';
import type { Device, Member } from '@swarmdeck/bff/contract';
import { presenceStates } from '@swarmdeck/bff/field-rules';
import { usePagedQuery } from '../../data/cache/paged-query.ts';
import { isByValue } from '../../data/filter-params.ts';
import { RowValue } from '../../shared/values/row-value.tsx';
import { formatNumber, t } from '../../text/text.ts';
import { Bdi } from '../../ui/rich.tsx';
import { Button, IconButton, IconLink } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { atTextSize, touch, useMedia } from '../../ui/media.ts';
import { PresenceAge, PresenceText } from '../../ui/presence.tsx';
import { Row } from '../../ui/row.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { TruncateMiddle } from '../../ui/truncate-middle.tsx';
import { TypeBadge } from '../../ui/type-badge.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { useHover, useIsHovered } from '../../ui/use-hover.ts';
import { useWallCounts } from './use-wall-counts.ts';
import { useWallDevice } from './use-wall-device.ts';
import { useWallList } from './use-wall-list.ts';
import { useWallUrl } from './use-wall-map.ts';
import { useWallPlace } from './use-wall-place.ts';
import { wallListQuery, type WallListSort } from './wall.api.ts';
import './wall-list.css';

/**
 * The devices of the wall beside the map, with a search: silent ones first, by name or by when they were last heard, or by the value that the wall
 * shows. A row selects its device on the map, and links to its page.
 */
export function WallList() {
  const { audience } = useWallPlace();
  const [{ selected, value }] = useWallUrl();
  const valueKey = value.values?.[0];
  const wall = useWallCounts();
  const { search: q, setSearch, toggle } = useWallList();
  const { lookAt } = useWallDevice();
  const nothingOn = wall.filters === null;
  const [chosen, setOrder] = useState<WallListSort>('name');
  const order = isByValue(chosen) && valueKey === undefined ? 'name' : chosen;
  const byValue = isByValue(order) && valueKey !== undefined && { value: valueKey };
  const filters = { ...(wall.filters ?? { audience }), ...(q && { q }), ...byValue, sort: order };
  const on = filters.presence ?? presenceStates;
  const isSilenceFirst = !isByValue(order) && on.includes('silent') && (wall.query.data?.presence.silent ?? 0) > 0;
  const others = on.filter((state) => state !== 'silent');
  const silent = usePagedQuery({
    ...wallListQuery({ ...filters, presence: ['silent'] }),
    enabled: !nothingOn && isSilenceFirst,
  });
  const rest = usePagedQuery({
    ...wallListQuery(isSilenceFirst ? { ...filters, presence: others } : filters),
    enabled: !nothingOn && others.length > 0,
  });
  const lists = [...(isSilenceFirst ? [silent] : []), ...(others.length > 0 || !isSilenceFirst ? [rest] : [])];
  // The next list begins when all of the one before are loaded.
  const last = lists.findIndex(({ query: { data, hasNextPage } }) => !data || hasNextPage);
  const shown = lists.slice(0, last < 0 ? lists.length : last + 1);
  const { query } = shown.at(-1)!;
  // A device that falls silent may be in both for a moment.
  const byId = new Map(shown.flatMap((list) => list.rows).map((row) => [row.id, row]));
  const rows = nothingOn ? [] : [...byId.values()];
  const totals = lists.map(({ first }) => first?.total);
  const total = nothingOn
    ? 0
    : totals.reduce((sum, each) => (sum === undefined || each === undefined ? undefined : sum + each), 0);
  const isTall = useMedia(touch);
  return (
    <section className="floating column wall-list" aria-label={t.wall.list} data-over-map>
      <header className="line wall-list-head">
        <h2>{t.wall.list}</h2>
        <span className="quiet numbers">{total === undefined ? '…' : formatNumber(total)}</span>
        <IconButton icon="close" look="quiet" label={t.wall.close_list} onClick={toggle} />
      </header>
      <div className="wall-list-tools">
        <SearchField q={q} label={t.wall.search} placeholder={t.wall.search_hint} onChange={setSearch} />
        <OrderMenu {...{ order, valueKey }} onChoose={setOrder} />
      </div>
      {query.isPending && !nothingOn && <SkeletonRows count={8} label={t.wall.loading_list} />}
      {query.error && rows.length === 0 && <LoadFailed title={t.wall.list_failed} query={query} />}
      {total === 0 && <p className="wall-list-none">{q ? t.wall.list_none : t.wall.list_empty}</p>}
      {rows.length > 0 && (
        <PagedList
          keepPlace
          label={t.wall.list}
          items={rows}
          query={query}
          rowHeight={atTextSize(isTall ? 64 : 52)}
          renderItem={(device, tabIndex) => (
            <ListRow
              device={device}
              valueKey={valueKey}
              tabIndex={tabIndex}
              isSelected={device.id === selected}
              onSelect={() => lookAt(device)}
            />
          )}
        />
      )}
    </section>
  );
}

interface OrderMenuProps {
  order: WallListSort;
  valueKey: string | undefined;
  onChoose(order: WallListSort): void;
}

const orders: readonly WallListSort[] = ['name', '-heard', '-value', 'value'];

/** The last two need a value that is shown. */
function OrderMenu({ order, valueKey, onChoose }: OrderMenuProps) {
  const label = `${t.wall.sort}: ${t.devices.sort[order]}`;
  return (
    <Menu
      label={label}
      items={orders
        .filter((each) => !isByValue(each) || valueKey !== undefined)
        .map((each) => ({
          id: each,
          label: t.devices.sort[each],
          checked: each === order,
          onSelect: () => onChoose(each),
        }))}
      renderTrigger={(button) => (
        <Button look="quiet" icon="sort" aria-label={label} {...button}>
          {t.devices.sort[order]}
        </Button>
      )}
    />
  );
}

/** Silent devices say since when, to everybody. */
function RowPresence({ device: { position, presence } }: { device: Device | Member }) {
  if (presence.state === 'silent') return <PresenceText presence={presence} />;
  return position ? <PresenceAge presence={presence} /> : t.wall.no_position;
}

interface ListRowProps {
  device: Device | Member;
  valueKey: string | undefined;
  tabIndex: 0 | -1;
  isSelected: boolean;
  onSelect(): void;
}

function ListRow({ device, valueKey, tabIndex, isSelected, onSelect }: ListRowProps) {
  const { id, name, machine_type, user_id, presence } = device;
  return (
    <Row
      id={id}
      tabIndex={tabIndex}
      state={isSelected && 'selected'}
      hovered={useIsHovered(id)}
      className="wall-list-row"
      leading={<TypeBadge type={machine_type} presence={presence.state} />}
      title={<TruncateMiddle text={name} />}
      name={t.shell.machine_types[machine_type]}
      meta={
        <span className="ends-visible">
          <Bdi>{user_id}</Bdi> · <RowPresence device={device} />
        </span>
      }
      trailing={valueKey !== undefined && <RowValue values={device.values} valueKey={valueKey} />}
      actions={<IconLink icon="forward" to={`/devices/${id}`} label={t.wall.open_device(name)} tabIndex={tabIndex} />}
      onSelect={onSelect}
      onHover={useHover().set}
    />
  );
}
