import type { ReactNode, RefObject } from 'react';
import { errorParts } from '../../../api/problem.ts';
import { SelectionBar } from '../../../bulk/selection-bar.tsx';
import { problemSentence, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { lazyPart } from '../../../ui/lazy.tsx';
import { Note } from '../../../ui/notice.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import type { SetUrlState } from '../../../ui/url-state.ts';
import type { VirtualListHandle } from '../../../ui/virtual-list.tsx';
import { filtersOn, withFilter } from '../device-filters.ts';
import type { Bbox, ListState } from '../device-filters.ts';
import { DeviceList } from './device-list.tsx';
import './device-panel.css';
import type { ListActions } from './device-row.tsx';
import { FilterChips } from './filter-chips.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { PanelHead } from './panel-head.tsx';
import type { DeviceList as Loaded } from './use-device-list.ts';
import type { HomeSelection } from './use-device-selection.ts';

const SelectionActions = lazyPart(async () => (await import('../bulk/selection-actions.tsx')).SelectionActions);
const NoMatch = lazyPart(async () => (await import('./no-match.tsx')).NoMatch);

interface DevicePanelProps {
  list: Loaded;
  state: ListState;
  onState: SetUrlState<ListState>;
  /** The free part of the map. */
  view: Bbox | null;
  selected: string | null;
  hovered: string | null;
  actions: ListActions;
  selection: HomeSelection;
  rows: RefObject<VirtualListHandle | null>;
  search: RefObject<HTMLInputElement | null>;
  phone: boolean;
  /** On a phone, the search field is shown at the highest stop and while a search is active. */
  withSearch: boolean;
  onAdd(): void;
  onExport(): void;
  /** Esc in the search field. Returns true if it was handled. */
  onEscape(): boolean;
  /** Beside the search field. */
  views: ReactNode;
  /** More buttons of the head. */
  children?: ReactNode;
}

/** The list of the home page, with its heading, search, filters and sort order. */
export function DevicePanel(props: DevicePanelProps) {
  const { list, state, onState, selection } = props;
  const filtered = filtersOn(state).length > 0;
  return (
    <>
      <div className="panel-top">
        <PanelHead
          {...{ list, filtered, selection }}
          phone={props.phone}
          view={props.view}
          onExport={props.onExport}
          onAdd={props.onAdd}
        >
          {props.children}
        </PanelHead>
        {props.withSearch && (
          <div className="panel-search">
            <SearchField
              q={state.filters.q ?? ''}
              label={t.devices.search}
              placeholder={t.devices.search_hint}
              field={props.search}
              onChange={(q) => onState(({ filters }) => ({ filters: withFilter(filters, 'q', q) }))}
              onEscape={props.onEscape}
              onLeave={() => props.rows.current?.focus()}
            />
            {props.views}
          </div>
        )}
        <FilterChips
          filters={state.filters}
          facets={list.facets}
          spot={state.spot !== null}
          onChange={(change) => onState(({ filters }) => ({ filters: change(filters) }))}
          onLeaveSpot={() => onState({ spot: null })}
        />
      </div>
      {selection.isActive ? (
        <SelectionBar selection={selection}>
          <SelectionActions count={selection.count} known={list.device} />
        </SelectionBar>
      ) : (
        <ListToolbar
          state={state}
          outOfPlace={list.outOfPlace}
          asOf={props.phone ? list.asOf : undefined}
          onChange={onState}
          onSortAgain={() => {
            list.sortAgain();
            props.rows.current?.scrollToTop();
          }}
        />
      )}
      <PanelBody {...props} />
    </>
  );
}

/** The loading, error and empty states, or the rows. */
function PanelBody(props: DevicePanelProps) {
  const { list, state, onState, view, selected, hovered, actions, selection, rows } = props;
  if (list.rows.length > 0) {
    return (
      <>
        {list.error && !list.asOf && <MoreFailed list={list} />}
        {list.old && (
          <output className="panel-note">
            <Note icon="clock">{t.devices.old}</Note>
          </output>
        )}
        <DeviceList {...{ list, selected, hovered, actions, selection }} handle={rows} />
      </>
    );
  }
  if (list.error && (list.total === undefined || list.old)) {
    return (
      <div className="panel-state" role="alert">
        <Empty icon="cloud-off" title={t.devices.error_title} text={problemSentence(errorParts(list.error))}>
          <Button onClick={list.reload}>{t.devices.retry}</Button>
        </Empty>
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
  return <NoMatch state={state} view={view} facets={list.facets} onChange={onState} />;
}

function MoreFailed({ list }: { list: Loaded }) {
  return (
    <div className="panel-note" role="alert">
      <Note tone="bad" icon="warning">
        {problemSentence(errorParts(list.error))}{' '}
        <Button size="row" onClick={list.reload}>
          {t.devices.retry}
        </Button>
      </Note>
    </div>
  );
}
