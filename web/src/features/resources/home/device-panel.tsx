import type { ReactNode } from 'react';
import { SelectionBar } from '../../../bulk/selection-bar.tsx';
import { t, formatNumber } from '../../../text/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { lazyPart } from '../../../ui/lazy.tsx';
import { LoadFailed, LoadFailedNote } from '../../../ui/load-failed.tsx';
import { Note } from '../../../ui/notice.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { filtersOn, withFilter, sorts } from '../device-filters.ts';
import { DeviceList } from './device-list.tsx';
import './device-panel.css';
import { FilterChips } from './filter-chips.tsx';
import type { DeviceList as Loaded } from './use-device-list.ts';
import type { Home } from './use-home.ts';
import { useNavigate } from 'react-router';
import { Menu, MoreMenu } from '../../../ui/menu.tsx';
import { useCopy } from '../../../ui/use-copy.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Switch } from '../../../ui/switch.tsx';

const DeviceSelectionMenu = lazyPart(
  async () => (await import('../bulk/device-selection-menu.tsx')).DeviceSelectionMenu,
);
const NoMatch = lazyPart(async () => (await import('./no-match.tsx')).NoMatch);

interface DevicePanelProps {
  home: Home;
  phone: boolean;
  userId: string | undefined;
  /** Saved views, beside the search field; on a phone in the head. */
  views: ReactNode;
}

/** The list of the home page, with its heading, search, filters and sort order. */
export function DevicePanel({ home, phone, userId, views }: DevicePanelProps) {
  const { list, url: state, setUrl: onState, selection, handles, stop } = home;
  return (
    <>
      <div className="stack gap-3 panel-top">
        <PanelHead home={home} phone={phone}>
          {phone && stop === 'list' && <Button onClick={() => home.setStop('half')}>{t.devices.map}</Button>}
          {phone && stop !== 'list' && (
            <IconButton look="quiet" icon="search" label={t.devices.search} onClick={home.search} />
          )}
          {phone && views}
        </PanelHead>
        {/* On a phone at the highest stop, and while a search is active. */}
        {(!phone || stop === 'list' || state.filters.q !== undefined) && (
          <div className="panel-search">
            <SearchField
              q={state.filters.q ?? ''}
              label={t.devices.search}
              placeholder={t.devices.search_hint}
              field={handles.search}
              onChange={(q) => onState(({ filters }) => ({ filters: withFilter(filters, 'q', q) }))}
              onEscape={home.clearWhenNothingMatches}
              onLeave={() => handles.rows.current?.focus()}
            />
            {!phone && views}
          </div>
        )}
        <FilterChips
          filters={state.filters}
          facets={list.facets}
          stack={state.stack !== null}
          onChange={(change) => onState(({ filters }) => ({ filters: change(filters) }))}
          onAudience={home.switchAudience}
          onLeaveStack={() => onState({ stack: null })}
        />
      </div>
      {selection.isActive ? (
        <SelectionBar selection={selection} list={handles.rows}>
          <DeviceSelectionMenu count={selection.count} known={list.device} rows={list.rows.all} />
        </SelectionBar>
      ) : (
        <ListToolbar home={home} />
      )}
      <PanelBody home={home} userId={userId} />
    </>
  );
}

type PanelBodyProps = Pick<
  Home,
  'sortPoint' | 'list' | 'url' | 'setUrl' | 'view' | 'hovered' | 'commands' | 'selection' | 'handles'
>;

/** The loading, error and empty states, or the rows. */
function PanelBody({ home, userId }: { home: PanelBodyProps; userId: string | undefined }) {
  const { list, url: state, hovered, commands, selection, handles } = home;
  if (list.rows.length > 0) {
    return (
      <>
        {list.error && !list.isAway && <LoadFailedNote className="panel-note" query={list} />}
        {list.old && (
          <div className="panel-note">
            <Note icon="clock">{t.devices.old}</Note>
          </div>
        )}
        {list.changing && (
          <div className="panel-loading appears-late" aria-hidden="true">
            <span className="line quiet">
              <Icon name="clock" size={16} /> {t.devices.loading_filtered}
            </span>
          </div>
        )}
        <DeviceList
          {...{ list, hovered, commands, userId }}
          selection={state.filters.audience ? undefined : selection}
          near={state.sort === 'near' ? home.sortPoint.at : null}
          selected={state.selected}
          handle={handles.rows}
        />
      </>
    );
  }
  if (list.error && (list.total === undefined || list.old)) {
    return (
      <div className="panel-state">
        <LoadFailed title={t.devices.error_title} query={list} />
      </div>
    );
  }
  if (list.total === undefined || list.changing || list.outOfPlace > 0) {
    return (
      <div className="panel-state">
        <SkeletonRows count={12} label={t.devices.loading} />
      </div>
    );
  }
  return <NoMatch state={state} view={home.view?.bbox ?? null} facets={list.facets} onChange={home.setUrl} />;
}

/** "Devices 187", or "12 of 187" while something is filtered. */
function DeviceCount({ list, filtered }: { list: Pick<Loaded, 'total' | 'facets' | 'building'>; filtered: boolean }) {
  const { total, facets, building } = list;
  if (building !== undefined) {
    const percent = formatNumber(Math.round(building * 100));
    return <output className="panel-count muted one-line numbers">{t.devices.counting(percent)}</output>;
  }
  if (total === undefined || !facets) return <span className="panel-count muted one-line">…</span>;
  const text = filtered ? t.devices.of(formatNumber(total), formatNumber(facets.all)) : formatNumber(total);
  return (
    <output className="panel-count muted one-line numbers">
      {text}
      <span className="visually-hidden"> {t.devices.unit(filtered ? facets.all : total)}</span>
    </output>
  );
}

interface PanelHeadProps {
  home: Pick<Home, 'list' | 'url' | 'view' | 'selection' | 'add' | 'exportList'>;
  phone: boolean;
  /** More buttons before Add. */
  children?: ReactNode;
}

function PanelHead({ home, phone, children }: PanelHeadProps) {
  const { list, selection } = home;
  const view = home.view?.bbox;
  // Only own devices are selected and exported.
  const isOwn = home.url.filters.audience === undefined;
  const copy = useCopy();
  const navigate = useNavigate();
  return (
    <header className="line panel-head">
      <div className="panel-title">
        <h1>{t.devices.title}</h1>
        <DeviceCount list={list} filtered={filtersOn(home.url).length > 0} />
      </div>
      {children}
      <MoreMenu
        look={phone ? 'quiet' : 'plain'}
        label={t.devices.more}
        items={[
          {
            id: 'select',
            label: t.devices.selection.begin,
            icon: 'check',
            disabled: !isOwn,
            onSelect: selection.begin,
          },
          {
            id: 'select_all',
            icon: 'list',
            label: t.devices.selection.all(formatNumber(list.total ?? 0)),
            disabled: !isOwn || !list.total,
            onSelect: selection.selectAll,
          },
          {
            id: 'select_view',
            icon: 'fit',
            label: t.devices.selection.in_view,
            disabled: !isOwn || !view,
            onSelect: () => view && selection.selectWithin(view),
          },
          { id: 'import', label: t.devices.import, icon: 'upload', onSelect: () => void navigate('/import') },
          {
            id: 'export',
            label: t.devices.selection.export,
            icon: 'download',
            disabled: !isOwn || !list.total,
            onSelect: home.exportList,
          },
          { id: 'wall', label: t.devices.wall, icon: 'system', onSelect: () => void navigate('/map') },
          {
            id: 'link',
            label: t.devices.copy_link,
            icon: 'copy',
            onSelect: () => copy(location.href, t.devices.link_copied),
          },
          { id: 'reload', label: t.devices.reload, icon: 'undo', onSelect: list.refetch },
        ]}
      />
      <Button look="primary" icon="plus" onClick={home.add}>
        {phone ? t.devices.add_short : t.devices.add}
      </Button>
    </header>
  );
}

/** The sort order, the number of rows out of order, and whether the list is limited to the view. */
function ListToolbar({ home }: { home: Pick<Home, 'sortPoint' | 'list' | 'url' | 'setUrl' | 'handles'> }) {
  const { list, url: state, setUrl: onChange } = home;
  const { locate, error } = home.sortPoint;
  const sortAgain = () => {
    list.sortAgain();
    home.handles.rows.current?.scrollToTop();
  };
  return (
    <div className="line wraps list-toolbar">
      <Menu
        label={t.devices.sort_by(t.devices.sort[state.sort])}
        items={sorts.map((sort) => ({
          id: sort,
          label: t.devices.sort[sort],
          checked: sort === state.sort,
          onSelect: () => (sort === 'near' ? locate() : onChange({ sort })),
        }))}
        renderTrigger={(button) => (
          <button
            type="button"
            className="text-button hoverable list-toolbar-sort"
            aria-label={t.devices.sort_by(t.devices.sort[state.sort])}
            {...button}
          >
            <Icon name="sort" size={16} />
            {t.devices.sort[state.sort]}
          </button>
        )}
      />
      <span className="fill" aria-live="polite">
        {error
          ? t.map.location_errors[error]
          : list.outOfPlace > 0 && (
              <button type="button" className="text-button hoverable list-toolbar-again numbers" onClick={sortAgain}>
                {t.devices.sort_again(`${formatNumber(list.outOfPlace)}${list.isMore ? '+' : ''}`)}
              </button>
            )}
      </span>
      <Switch label={t.devices.in_view} checked={state.in_view} onChange={(in_view) => onChange({ in_view })} />
    </div>
  );
}
