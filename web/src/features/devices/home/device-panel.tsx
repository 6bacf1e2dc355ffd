import type { ReactNode } from 'react';
import { isByValue, sortedBy } from '../../../data/filter-params.ts';
import { t, formatNumber } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { LoadFailed, LoadFailedNote } from '../../../ui/pages/load-failed.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { SkeletonRows } from '../../../ui/pages/skeleton.tsx';
import { filtersOn, homeUrl, sorts, withFilter } from '../device-filters.ts';
import { DeviceList } from './device-list.tsx';
import './device-panel.css';
import { FilterChips } from './filter-chips.tsx';
import { useHome } from './home-state.ts';
import { useRemoveUselessFilters } from './use-remove-useless-filters.ts';
import { useSwitchAudience } from './use-switch-audience.ts';
import { Menu } from '../../../ui/dialogs/menu.tsx';
import { CommandMenu } from '../../../ui/dialogs/command-menu.tsx';
import { useOffered } from '../../../ui/keys/keys-provider.tsx';
import { Icon } from '../../../ui/symbols/icon.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import { useIsSettled } from '../../../ui/pages/use-is-settled.ts';
import { useUrlState } from '../../../ui/urls/url-state.ts';

export const SelectionBar = lazyPart(async () => (await import('../../../bulk/selection-bar.tsx')).SelectionBar);
const DeviceSelectionMenu = lazyPart(
  async () => (await import('../bulk/device-selection-menu.tsx')).DeviceSelectionMenu,
);
const WaitingDevices = lazyPart(async () => (await import('./waiting-devices.tsx')).WaitingDevices, {
  isBackground: true,
});
export const FirstWaiting = lazyPart(async () => (await import('./waiting-devices.tsx')).FirstWaiting, {
  isBackground: true,
});
const NoMatch = lazyPart(async () => (await import('./no-match.tsx')).NoMatch);

/** The search field of the list. */
export function ListSearch() {
  const [{ filters }, setUrl] = useUrlState(homeUrl);
  const { handle: list } = useHome('list');
  const removeUselessFilters = useRemoveUselessFilters();
  return (
    <SearchField
      q={filters.q ?? ''}
      label={t.devices.search}
      placeholder={t.devices.search_hint}
      field={useHome('search').field}
      onChange={(q) => setUrl((now) => ({ filters: withFilter(now.filters, 'q', q) }))}
      onEscape={removeUselessFilters}
      onLeave={() => list.current?.focus()}
    />
  );
}

export function ListFilters() {
  const [{ filters, stack }, setUrl] = useUrlState(homeUrl);
  return (
    <FilterChips
      filters={filters}
      facets={useHome('list').counts.facets}
      stack={stack !== null}
      onChange={(change) => setUrl((now) => ({ filters: change(now.filters) }))}
      onAudience={useSwitchAudience()}
      onLeaveStack={() => setUrl({ stack: null })}
    />
  );
}

/** The rows below their toolbar, or below the bar of the selected ones. */
export function ListUnderHead() {
  const { handle } = useHome('list');
  const { checked, check } = useHome('selection');
  const { openForSelected } = useHome('dialogs');
  const isSettled = useIsSettled();
  return (
    <>
      {checked.isActive ? (
        <SelectionBar checked={checked} check={check} list={handle}>
          {/* While more are read, a command would apply to those that were selected before. */}
          <DeviceSelectionMenu count={checked.isReading ? 0 : checked.count} onOpen={openForSelected} />
        </SelectionBar>
      ) : (
        <ListToolbar />
      )}
      {isSettled && <WaitingDevices />}
      <ListBody />
    </>
  );
}

/** The loading, error and empty states, or the rows. */
function ListBody() {
  const [url, setUrl] = useUrlState(homeUrl);
  const { view } = useHome('map');
  const { rows, counts, changes, status } = useHome('list');
  const { isEmpty } = useHome('start');
  const { isChanging, isOld, isStored, error } = status;
  if (rows.length > 0 || isStored) {
    return (
      <>
        {error && !status.isAway && <LoadFailedNote className="panel-note" query={status} />}
        {isOld && (
          <div className="panel-note">
            <Note icon="clock">{isStored ? t.devices.stored : t.devices.old}</Note>
          </div>
        )}
        {isChanging && (
          <div className="panel-loading appears-late" aria-hidden="true">
            <span className="line quiet">
              <Icon name="clock" size={16} /> {t.devices.loading_filtered}
            </span>
          </div>
        )}
        <DeviceList />
      </>
    );
  }
  if (error && (counts.total === undefined || isOld)) {
    return (
      <div className="panel-state">
        <LoadFailed title={t.devices.error_title} query={status} />
      </div>
    );
  }
  if (counts.total === undefined || isChanging || changes.outOfPlace > 0) {
    return (
      <div className="panel-state">
        <SkeletonRows count={12} label={t.devices.loading} />
      </div>
    );
  }
  // Only devices that wait for the server are listed.
  if (isEmpty) return null;
  return <NoMatch state={url} view={view?.bbox ?? null} facets={counts.facets} onChange={setUrl} />;
}

/** "Devices 187", or "12 of 187" while something is filtered. */
function DeviceCount() {
  const [url] = useUrlState(homeUrl);
  const { total, facets, building } = useHome('list').counts;
  const isFiltered = filtersOn(url).length > 0;
  if (building !== undefined) {
    const percent = formatNumber(Math.round(building * 100));
    return <output className="panel-count muted one-line numbers">{t.devices.counting(percent)}</output>;
  }
  if (total === undefined || !facets) return <span className="panel-count muted one-line">…</span>;
  const text = isFiltered ? t.devices.of(formatNumber(total), formatNumber(facets.all)) : formatNumber(total);
  return (
    <output className="panel-count muted one-line numbers">
      {text}
      <span className="visually-hidden"> {t.devices.unit(isFiltered ? facets.all : total)}</span>
    </output>
  );
}

interface ListHeadProps {
  menuLook: 'plain' | 'quiet';
  /** The text of the button that adds a device. */
  add: string;
  /** More buttons before it. */
  children?: ReactNode;
}

/** The title with the number of devices, and what is done with the list. */
export function ListHead({ menuLook, add, children }: ListHeadProps) {
  const { add: openForm } = useHome('dialogs');
  const commands = [...useOffered('device_list'), ...useOffered('app')];
  return (
    <header className="line panel-head">
      <div className="panel-title">
        <h1>{t.devices.title}</h1>
        <DeviceCount />
      </div>
      {children}
      <CommandMenu look={menuLook} label={t.devices.more} commands={commands} />
      <Button look="primary" icon="plus" onClick={() => openForm()}>
        {add}
      </Button>
    </header>
  );
}

/** The sort order, the number of rows out of order, and whether the list is limited to the view. */
function ListToolbar() {
  const [url, setUrl] = useUrlState(homeUrl);
  const { changes, handle, sortPoint } = useHome('list');
  const { locate, stop, error } = sortPoint;
  const sortAgain = () => {
    changes.sortAgain();
    handle.current?.scrollToTop();
  };
  return (
    <div className="line wraps list-toolbar">
      <Menu
        label={t.devices.sort_by(t.devices.sort[url.sort])}
        items={sorts
          .filter((sort) => !isByValue(sort) || url.filters.values)
          .map((sort) => ({
            id: sort,
            label: t.devices.sort[sort],
            checked: sort === url.sort,
            onSelect() {
              if (sort === 'near') return locate();
              // The location may still be on its way.
              stop();
              return setUrl((now) => sortedBy(sort, now.filters));
            },
          }))}
        renderTrigger={(button) => (
          <button
            type="button"
            className="text-button hoverable list-toolbar-sort"
            aria-label={t.devices.sort_by(t.devices.sort[url.sort])}
            {...button}
          >
            <Icon name="sort" size={16} />
            {t.devices.sort[url.sort]}
          </button>
        )}
      />
      <span className="fill" aria-live="polite">
        {error
          ? t.map.location_errors[error]
          : changes.outOfPlace > 0 && (
              <button type="button" className="text-button hoverable list-toolbar-again numbers" onClick={sortAgain}>
                {t.devices.sort_again(`${formatNumber(changes.outOfPlace)}${changes.isMore ? '+' : ''}`)}
              </button>
            )}
      </span>
      <Switch label={t.devices.in_view} checked={url.in_view} onChange={(in_view) => setUrl({ in_view })} />
    </div>
  );
}
