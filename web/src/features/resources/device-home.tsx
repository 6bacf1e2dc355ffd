import { lazy, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from '../../ui/router.tsx';
import type { Device, Position } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { phone as phoneQuery, useMedia } from '../../ui/media.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import type { Bbox } from './device-filters.ts';
import { filtersOn, listBbox, takeAllOff } from './device-filters.ts';
import { emptyDraft } from './draft.ts';
import './device-home.css';
import type { ListHandle } from './device-list.tsx';
import { DevicePanel } from './device-panel.tsx';
import type { HomeMap, HomeMapHandle } from './home-map.ts';
import { isInside } from './home-map.ts';
import type { MapPlace } from './map-place.ts';
import { PanelSheet } from './panel-sheet.tsx';
import type { Stop } from './sheet-stops.ts';
import { useDeviceList } from './use-device-list.ts';
import { useHomeKeys } from './use-home-keys.ts';
import { useHomeUrl } from './use-home-url.ts';
import { useMapInsets } from './use-map-insets.ts';
import { usePlacing } from './use-placing.ts';
import { useSelectedDevice } from './use-selected-device.ts';

const loadCard = () => import('./device-card.tsx');
const DeviceCard = lazy(async () => ({ default: (await loadCard()).DeviceCard }));
const AddDevice = lazy(async () => ({ default: (await import('./add-device.tsx')).AddDevice }));
const PlaceNotice = lazy(async () => ({ default: (await import('./place-notice.tsx')).PlaceNotice }));
const DestroyDialog = lazy(async () => ({ default: (await import('./destroy-dialog.tsx')).DestroyDialog }));
const FirstRun = lazy(async () => ({ default: (await import('./first-run.tsx')).FirstRun }));

/** Closer than this when a selected device is flown to from far away: nobody finds it on a map of the world. */
const nearestLook = 5;

/** The home screen: one selection, one filter, one search for the list and for the map, which the route hands in. */
export function DeviceHome({ renderMap }: { renderMap(props: HomeMap): ReactNode }) {
  usePageTitle(t.devices.title);
  const url = useHomeUrl();
  const state = url.list;
  const navigate = useNavigate();
  const phone = useMedia(phoneQuery);
  const [view, setView] = useState<(MapPlace & { bbox: Bbox }) | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [stop, setStop] = useState<Stop>(url.selected === null ? 'half' : 'card');
  const [sheet, setSheet] = useState(0);
  const [draft, setDraft] = useState(emptyDraft);
  const [adding, setAdding] = useState(false);
  const [destroying, setDestroying] = useState<Device | null>(null);
  const mapHandle = useRef<HomeMapHandle>(null);
  const rows = useRef<ListHandle>(null);
  const search = useRef<HTMLInputElement>(null);

  // not needed to see the page, and there before the first click
  useEffect(() => {
    const timer = setTimeout(() => void loadCard(), 1000);
    return () => clearTimeout(timer);
  }, []);

  const list = useDeviceList({
    filters: state.filters,
    sort: state.sort,
    bbox: listBbox({ state, view: view?.bbox ?? null }),
    waiting: state.in_view && view === null,
  });
  const selected = useSelectedDevice({ list, id: url.selected });
  const insets = useMapInsets({ phone, sheet });
  const filters = useMemo(() => ({ audience: 'own', ...state.filters }), [state.filters]);

  const select = (id: string | null) => {
    url.select(id);
    setStop(id === null ? 'half' : 'card');
  };
  const lookAt = ({ position }: { position?: Position | undefined }) => {
    if (!position || (view && isInside(view.bbox, position))) return;
    mapHandle.current?.flyTo(position, Math.max(view?.zoom ?? 0, nearestLook));
  };
  const open = ({ id }: Device, focus?: 'name') => {
    url.select(id);
    navigate(`/devices/${id}`, { state: { home: globalThis.location.search, focus } });
  };
  const placing = usePlacing({
    onDraftPlaced: (at) => {
      setDraft((now) => ({ ...now, latitude: String(at.latitude), longitude: String(at.longitude) }));
      setAdding(true);
    },
    onPlaced: (id, position) => {
      select(id);
      lookAt({ position });
    },
  });
  const actions = {
    select: (device: Device) => {
      select(device.id);
      lookAt(device);
    },
    open,
    edit: (device: Device) => open(device, 'name'),
    place: (device: Device) => {
      placing.startWith(device);
      setStop('card');
    },
    destroy: setDestroying,
    close: () => {
      select(null);
      rows.current?.focus();
    },
    hover: setHovered,
  };
  const add = () => list.asOf === undefined && setAdding(true);
  const searchNow = () => {
    setStop('list');
    // on a phone the field comes with the stop
    setTimeout(() => search.current?.focus());
  };
  const clearWhenNothingMatches = () => {
    const nothing = filtersOn(state).length > 0 && list.total === 0;
    if (nothing) url.setList(takeAllOff(state));
    return nothing;
  };
  useHomeKeys({
    search: searchNow,
    add,
    step: (by) => {
      const at = list.rows.findIndex(({ id }) => id === url.selected);
      const next = list.rows[at < 0 ? 0 : at + by];
      if (!next) return;
      actions.select(next);
      rows.current?.reveal(next.id);
    },
    open: () => selected && open(selected),
    edit: () => selected && actions.edit(selected),
    toMap: () => mapHandle.current?.focus(),
    toList: () => rows.current?.focus(),
    fit: () => mapHandle.current?.fit(),
    escape: () => {
      if (placing.placing) placing.cancel();
      else if (!clearWhenNothingMatches() && url.selected !== null) select(null);
    },
  });

  // a link, or the way back from a device's page: its row is where the eye falls
  const loaded = list.rows.length > 0;
  const revealSelected = useEffectEvent(() => url.selected !== null && rows.current?.reveal(url.selected));
  useEffect(() => {
    if (loaded) revealSelected();
  }, [loaded]);

  const panel = (
    <DevicePanel
      {...{ list, state, hovered, actions, rows, search, phone }}
      onState={url.setList}
      view={view?.bbox ?? null}
      selected={url.selected}
      withSearch={!phone || stop === 'list' || state.filters.q !== undefined}
      onAdd={add}
      onEscape={clearWhenNothingMatches}
    >
      {phone && stop === 'list' && <Button onClick={() => setStop('half')}>{t.devices.map}</Button>}
      {phone && stop !== 'list' && (
        <IconButton look="quiet" icon="search" label={t.devices.search} onClick={searchNow} />
      )}
    </DevicePanel>
  );
  const above = placing.placing ? (
    <PlaceNotice
      key={placing.placing.id}
      name={placing.placing.name}
      busy={placing.busy}
      error={placing.error}
      onPlace={placing.placeAt}
      onCancel={placing.cancel}
    />
  ) : (
    url.selected !== null && <DeviceCard device={selected} actions={actions} />
  );

  return (
    <div className="home">
      {/* at its highest stop the list leaves a rim of the map to be seen, and nothing there to be used */}
      <div className="home-map" inert={phone && stop === 'list'}>
        {renderMap({
          filters,
          selected: selected ?? null,
          hoveredId: hovered,
          insets,
          initialView: url.mapPlace,
          onSelect: (id) => {
            select(id);
            if (id !== null) rows.current?.reveal(id);
          },
          onHover: setHovered,
          onView: (next) => {
            setView(next);
            url.leaveMapAt(next);
          },
          onOpenSpot: (spot) => {
            url.setList({ ...state, spot });
            setStop('half');
          },
          placing: placing.placing,
          onPlace: placing.placeAt,
          onPlaceCancel: placing.cancel,
          version: 0,
          handle: mapHandle,
        })}
      </div>
      {list.facets?.all === 0 && !placing.placing ? (
        <Suspense>
          <FirstRun onAdd={add} />
        </Suspense>
      ) : phone ? (
        <PanelSheet stop={stop} onStop={setStop} onHeight={setSheet}>
          {stop === 'card' && above ? <Suspense>{above}</Suspense> : panel}
        </PanelSheet>
      ) : (
        <>
          {list.facets?.all !== 0 && (
            <section className="panel" aria-label={t.devices.list}>
              {panel}
            </section>
          )}
          <Suspense>{above}</Suspense>
        </>
      )}
      <Suspense>
        {adding && (
          <AddDevice
            draft={draft}
            onDraft={setDraft}
            onClose={() => setAdding(false)}
            onPlace={() => {
              setAdding(false);
              setStop('card');
              placing.start({
                id: '',
                name: draft.name || t.devices.new_device,
                machine_type: draft.machine_type ?? 'bug',
                before: null,
              });
            }}
            onAdded={(device) => {
              setAdding(false);
              setDraft(emptyDraft);
              select(device.id);
              lookAt(device);
            }}
          />
        )}
        {destroying && (
          <DestroyDialog
            device={destroying}
            onClose={() => setDestroying(null)}
            onDestroy={() => {
              setDestroying(null);
              actions.close();
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
