import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../../text/text.ts';
import { useBackCloses } from '../../../ui/back-closes.ts';
import { lazyPart } from '../../../ui/lazy.tsx';
import { insetsOf, readMapView } from '../../../ui/map-view-url.ts';
import { low, lowest, phone as phoneQuery, useMedia } from '../../../ui/media.ts';
import { usePageTitle } from '../../../ui/page-title.ts';
import { Sheet } from '../../../ui/sheet.tsx';
import { useFocusRestore } from '../../../ui/use-focus-after-removal.ts';
import { useIsSettled } from '../../../ui/use-is-settled.ts';
import './device-home.css';
import { DevicePanel } from './device-panel.tsx';
import { listAudience, withFilter } from '../device-filters.ts';
import { watchedCountQuery } from '../resources.api.ts';
import { useHome, type HomeMap, type Home } from './use-home.ts';
import { CollectTyped } from '../../../ui/keys-provider.tsx';

const DeviceCard = lazyPart(async () => (await import('./device-card.tsx')).DeviceCard);
const PlaceNotice = lazyPart(async () => (await import('./place-notice.tsx')).PlaceNotice);

/** `userId`: undefined until it is known. The parts of the home screen that other features render. */
interface HomeParts {
  userId: string | undefined;
  renderMap(props: HomeMap): ReactNode;
  /** Shown instead of the list while the user has no devices. */
  renderStart(props: { phone: boolean; seen: number; onAdd(): void; onSeen(): void }): ReactNode;
  /** Saved views, beside the search. `swarms`: those whose names are known. */
  renderViews(props: { swarms: readonly { id: string; name: string }[]; phone: boolean }): ReactNode;
  /** Below the list. `device` is the selected or the first one. `roomy` is false at the middle stop of a phone. */
  renderFoot(props: {
    device: { id: string; name: string } | undefined;
    count: number;
    roomy: boolean;
    onAdd(): void;
  }): ReactNode;
}

/** The home page: a list and a map with the same selection, filters and search. The route passes the map. */
export function DeviceHome({ userId, renderMap, renderStart, renderViews, renderFoot }: HomeParts) {
  usePageTitle(t.devices.title);
  const home = useHome();
  const phone = useMedia(phoneQuery);
  const isLow = useMedia(lowest);
  const [sheet, setSheet] = useState(0);
  const wanted = home.url.filters;
  const count = home.list.facets?.all;

  const isSettled = useIsSettled();
  useEffect(() => {
    if (isSettled) void DeviceCard.preload();
  }, [isSettled]);
  const nothingYet = count === 0;
  const starting = nothingYet && !home.placing.placing;
  // Who only watches sees the devices of others: on the map, and with a way to their page.
  const watched = useQuery({ ...watchedCountQuery, enabled: starting }).data ?? 0;
  const isWatching = starting && watched > 0;
  const showSeen = useEffectEvent(() =>
    home.setUrl(({ filters }) => ({ filters: withFilter(filters, 'audience', 'visible') })),
  );
  useEffect(() => {
    if (isWatching && listAudience.get() === 'auto') showSeen();
  }, [isWatching]);
  const navigate = useNavigate();
  const filters = useMemo(() => ({ audience: isWatching ? 'visible' : 'own', ...wanted }), [isWatching, wanted]);
  const isLowScreen = useMedia(low);
  const isLowPlacing = isLowScreen && home.placing.placing !== null;
  const side = starting ? start : nothingYet || isLowPlacing ? 0 : panelWidth;
  const insets = useMapInsets({ phone, top: isLowScreen ? 0 : jump, sheet, side, end: isLowPlacing ? notice : 0 });
  const foot =
    isSettled &&
    !!count &&
    !wanted.audience &&
    renderFoot({
      device: home.url.selected === null ? home.list.rows.at(0) : (home.selected ?? undefined),
      count,
      roomy: !phone || home.stop === 'list',
      onAdd: home.add,
    });
  const views = (
    <span className="panel-views">{isSettled && renderViews({ swarms: home.list.facets?.swarms ?? [], phone })}</span>
  );
  const panel = <DevicePanel {...{ home, phone, userId, views }} />;
  const above = overMapContent(home, userId);
  const isCardStop = phone && home.stop === 'card' && home.url.selected !== null;
  const showsCard = isCardStop && home.placing.placing === null;
  useBackCloses(isCardStop, home.commands.close);
  useBackCloses(home.placing.placing !== null, home.placing.cancel);
  // The start panel, the card and the notice of a device that is placed are removed.
  const page = useRef<HTMLDivElement>(null);
  const focusRestore = useFocusRestore(() => {
    const card = page.current?.querySelector<HTMLElement>('.card');
    if (card) card.focus({ preventScroll: true });
    else home.handles.rows.current?.focus();
  });
  return (
    <div ref={page} className={starting ? 'home home-start' : 'home'} {...focusRestore}>
      {/* The search for a place comes before the map. On a phone it is in the sheet. */}
      {!phone && home.placing.placing && above}
      {phone && !starting && (
        <Sheet
          label={t.devices.list}
          handleLabel={showsCard ? t.devices.card_sheet : t.devices.sheet}
          stop={home.stop}
          onStop={home.setStop}
          onHeight={setSheet}
          card={above}
          onCard={
            showsCard
              ? { up: () => home.selected && home.commands.open(home.selected), down: home.commands.close }
              : undefined
          }
        >
          {panel}
          {foot}
        </Sheet>
      )}
      {/* At its highest stop the list covers the map except for a strip that cannot be used. */}
      <div className="home-map" inert={phone && (starting || (home.stop === 'list' && !isLow))}>
        <AfterList>
          {renderMap({
            filters,
            selected: proposedMarker(home) ?? home.selected ?? null,
            hoveredId: home.hovered,
            insets,
            initialView: readMapView(home.url.map),
            handle: home.handles.map,
            ...home.onMap,
            ...(isWatching && { onSelect: (id) => id !== null && void navigate(`/devices/${id}`) }),
          })}
        </AfterList>
      </div>
      {starting && renderStart({ phone, seen: watched, onAdd: home.add, onSeen: home.switchAudience })}
      {!phone && !nothingYet && (
        <section className="floating column panel" aria-label={t.devices.list}>
          {panel}
          {foot}
        </section>
      )}
      {!phone && !starting && !home.placing.placing && above}
      <HomeDialogs dialogs={home.dialogs} total={home.list.total} />
    </div>
  );
}

/** Renders the map after the list, because both in one frame would block input. */
function AfterList({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}

/** The marker of the proposed position. It has an unused id, so that the symbol of the device stays in place. */
function proposedMarker({ placing: { placing } }: Home) {
  return placing?.proposed && { ...placing, id: 'proposed', position: placing.proposed };
}

/** The card of the selected device, or the notice of a device that is being placed. */
function overMapContent(home: Home, userId: string | undefined): ReactNode {
  const { placing, propose, url, selected, commands, handles, view } = home;
  if (!placing.placing) return url.selected !== null && <DeviceCard {...{ device: selected, userId, commands }} />;
  return (
    <PlaceNotice
      key={placing.placing.id}
      name={placing.placing.name}
      proposed={placing.placing.proposed}
      onGo={({ lat, lng, zoom }) => {
        handles.map.current?.flyTo({ latitude: lat, longitude: lng }, zoom);
        handles.map.current?.focus();
      }}
      centre={view}
      onPropose={propose}
      busy={placing.busy}
      error={placing.error}
      onPlace={placing.placeAt}
      onCancel={placing.cancel}
    />
  );
}

/**
 * The width of the panel with its margins, in px; there is none while the first device is placed, and while any is in
 * landscape. A phone has a sheet.
 */
const panelWidth = 432;
/** The width of the notice of a device that is placed in landscape (place-notice.css). */
const notice = 336;
/** The same for the start panel, which is shown while there are no devices. */
const start = 648;
/** The height of the search field over a phone's map, with its margin (rail.css). On a low map it is only an icon. */
const jump = 56;

/** The insets of the map: the panel on a desktop, the sheet and the search field on a phone. */
function useMapInsets(options: Record<'top' | 'sheet' | 'side' | 'end', number> & { phone: boolean }) {
  const { phone, top, sheet, side, end } = options;
  return useMemo(() => insetsOf(phone ? { top, bottom: sheet } : { start: side, end }), [phone, top, sheet, side, end]);
}

const AddDevice = lazyPart(async () => (await import('../form/add-device.tsx')).AddDevice, CollectTyped);
const DestroyDialog = lazyPart(async () => (await import('../destroy-dialog.tsx')).DestroyDialog, CollectTyped);

const ExportList = lazyPart(async () => (await import('../bulk/device-selection-menu.tsx')).ExportList);

/** The dialogs of the home screen. `total`: of the list. */
function HomeDialogs({ dialogs, total }: Pick<Home, 'dialogs'> & { total: number | undefined }) {
  const { adding, exporting, destroying } = dialogs;
  return (
    <>
      {adding && (
        <AddDevice fill={adding} onPlace={dialogs.placeDraft} onClose={dialogs.stopAdding} onAdded={dialogs.added} />
      )}
      {exporting && total !== undefined && <ExportList {...exporting} count={total} onClose={dialogs.stopExporting} />}
      {destroying && (
        <DestroyDialog device={destroying} onClose={dialogs.stopDestroying} onDestroy={dialogs.destroyed} />
      )}
    </>
  );
}
