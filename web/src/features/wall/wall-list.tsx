import type { Device, Member } from '@swarmdeck/bff/contract';
import { isByValue } from '../../data/filter-params.ts';
import { RowValue } from '../../shared/values/row-value.tsx';
import { formatNumber, t } from '../../text/text.ts';
import { Bdi } from '../../ui/texts/rich.tsx';
import { Button, IconButton, IconLink } from '../../ui/buttons/button.tsx';
import { Menu } from '../../ui/dialogs/menu.tsx';
import { LoadFailed } from '../../ui/pages/load-failed.tsx';
import { useRowHeight } from '../../ui/lists/row-height.ts';
import { PresenceAge, PresenceText } from '../../ui/symbols/presence.tsx';
import { Row, RowWords } from '../../ui/lists/row.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { SkeletonRows } from '../../ui/pages/skeleton.tsx';
import { TruncateMiddle } from '../../ui/texts/truncate-middle.tsx';
import { TypeBadge } from '../../ui/symbols/type-badge.tsx';
import { PagedList } from '../../ui/lists/paged-list.tsx';
import { useIsHovered } from '../../ui/lists/use-hover.ts';
import { useWall } from './wall-state.ts';
import { useWallUrl } from './use-wall-url.ts';
import { useWallRows } from './use-wall-rows.ts';
import type { WallListSort } from './wall.api.ts';
import '../../ui/lists/ends-visible.css';
import './wall-list.css';

/**
 * The devices of the wall beside the map, with a search: silent ones first, by name or by when they were last heard, or by the value that the wall
 * shows. A row selects its device on the map, and links to its page.
 */
export function WallList() {
  const [{ selected }] = useWallUrl();
  const { search: q, setSearch, valueKey, toggle } = useWall('list');
  const { lookAt } = useWall('device');
  const { rows, total, query, isPending } = useWallRows();
  const rowHeight = useRowHeight({ base: 52, touch: 64 });
  return (
    <section className="floating column wall-list" aria-label={t.wall.list} data-over-map>
      <header className="line wall-list-head">
        <h2>{t.wall.list}</h2>
        <span className="quiet numbers">{total === undefined ? '…' : formatNumber(total)}</span>
        <IconButton icon="close" look="quiet" label={t.wall.close_list} onClick={toggle} />
      </header>
      <div className="wall-list-tools">
        <SearchField q={q} label={t.wall.search} placeholder={t.wall.search_hint} onChange={setSearch} />
        <OrderMenu />
      </div>
      {isPending && <SkeletonRows count={8} label={t.wall.loading_list} />}
      {query.error && rows.length === 0 && <LoadFailed title={t.wall.list_failed} query={query} />}
      {total === 0 && <p className="wall-list-none">{q ? t.wall.list_none : t.wall.list_empty}</p>}
      {rows.length > 0 && (
        <PagedList
          keepPlace
          label={t.wall.list}
          items={rows}
          query={query}
          rowHeight={rowHeight}
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

const orders: readonly WallListSort[] = ['name', '-heard', '-value', 'value'];

/** The last two need a value that is shown. */
function OrderMenu() {
  const { order, setOrder, valueKey } = useWall('list');
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
          onSelect: () => setOrder(each),
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
      hovered={useIsHovered(useWall('hover'), id)}
      className="wall-list-row"
      actions={<IconLink icon="forward" to={`/devices/${id}`} label={t.wall.open_device(name)} tabIndex={tabIndex} />}
      onSelect={onSelect}
      onHover={useWall('hover').set}
    >
      <RowWords
        leading={<TypeBadge type={machine_type} presence={presence.state} />}
        title={<TruncateMiddle text={name} />}
        name={t.shell.machine_types[machine_type]}
        meta={
          <span className="ends-visible">
            <Bdi>{user_id}</Bdi> · <RowPresence device={device} />
          </span>
        }
        trailing={valueKey !== undefined && <RowValue values={device.values} valueKey={valueKey} />}
      />
    </Row>
  );
}
