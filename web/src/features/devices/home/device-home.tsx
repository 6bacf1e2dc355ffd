import { useDeferredValue, useEffect, useRef, type ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { useBackCloses } from '../../../ui/dialogs/back-closes.ts';
import { CollectTyped } from '../../../ui/keys/keys-provider.tsx';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { phone as phoneQuery, touch, useMedia } from '../../../ui/browser/media.ts';
import { usePageTitle } from '../../../ui/pages/page-title.ts';
import { useFocusRestore } from '../../../ui/browser/use-focus-restore.ts';
import { useSheetCovers } from '../../../ui/sheet/use-sheet-covers.ts';
import { useIsSettled } from '../../../ui/pages/use-is-settled.ts';
import './device-home.css';
import { FirstWaiting, SelectionBar } from './device-panel.tsx';
import { HomeCommands } from './home-commands.ts';
import { DeskCard, DeskPanel, DeskPlaceNotice } from './home-desk.tsx';
import { DeviceCard } from './over-map.tsx';
import { useHome } from './home-state.ts';

/** A desk does not need it; `public/boot.js` requests its file on a phone. */
const HomeSheet = lazyPart(async () => (await import('./home-phone.tsx')).HomeSheet);

/** Loads what the page shows first. A phone's list is in its sheet: loaded later, it would be shown two renders later. */
export async function preloadHome(): Promise<void> {
  if (matchMedia(phoneQuery).matches) await HomeSheet.preload();
}

/** The parts of the home page that other features have. They read its state (home-state.ts). */
interface HomeParts {
  map: ReactNode;
  /** Shown instead of the list while the user has no devices. */
  start: ReactNode;
  /** Saved views, beside the search. */
  views: ReactNode;
  /** Below the list. */
  foot: ReactNode;
}

/**
 * The home page: a list and a map with the same selection, filters and search. The list is in a panel on a desk and in a
 * sheet on a phone; the map stays the same while a phone is turned.
 */
export function DeviceHome({ map, start, views, foot }: HomeParts) {
  usePageTitle(t.devices.title);
  const isPhone = useMedia(phoneQuery);
  const { handle: list } = useHome('list');
  const { placing, cancel } = useHome('placing');
  const { close } = useHome('selected');
  const { isEmpty, hasNone, isStarting } = useHome('start');

  const isSettled = useIsSettled();
  useEffect(() => {
    if (!isSettled) return;
    void DeviceCard.preload();
    void SelectionBar.preload();
  }, [isSettled]);
  useBackCloses(useHasCard(), close);
  useBackCloses(!!placing, cancel);
  // The start panel, the card and the notice of a device that is placed are removed.
  const page = useRef<HTMLDivElement>(null);
  const parts = {
    views: <span className="panel-views">{isSettled && views}</span>,
    foot: isSettled && foot,
  };
  const focusRestore = useFocusRestore(() => {
    const card = page.current?.querySelector<HTMLElement>('.card');
    if (card) card.focus({ preventScroll: true });
    else list.current?.focus();
  });
  return (
    <div ref={page} className={isStarting ? 'home home-start' : 'home'} {...focusRestore}>
      {isPhone ? !isStarting && <HomeSheet {...parts} /> : <DeskPlaceNotice />}
      <HomeMap>{map}</HomeMap>
      {isStarting && start}
      {!isPhone && (
        <>
          {!hasNone && <DeskPanel {...parts} />}
          <DeskCard />
        </>
      )}
      <Dialogs />
      {isSettled && isEmpty && <FirstWaiting />}
      <HomeCommands />
    </div>
  );
}

/** Whether Back closes the card: also after a phone was turned, which may then be a desk. */
function useHasCard(): boolean {
  const isPhone = useMedia(phoneQuery);
  const isTouch = useMedia(touch);
  const { stop } = useHome('sheet');
  const { id } = useHome('selected');
  return id !== null && (isPhone ? stop === 'card' : isTouch);
}

function HomeMap({ children }: { children: ReactNode }) {
  const isPhone = useMedia(phoneQuery);
  const isCovered = useSheetCovers(useHome('sheet').stop);
  const { isStarting } = useHome('start');
  return (
    <div className="home-map" inert={isCovered || (isPhone && isStarting)}>
      <AfterList>{children}</AfterList>
    </div>
  );
}

/** Renders the map after the list, because both in one frame would block input. */
function AfterList({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}

const HomeDialog = lazyPart(async () => (await import('./home-dialog.tsx')).HomeDialog, { Fallback: CollectTyped });

function Dialogs() {
  const { shown } = useHome('dialogs');
  return shown && <HomeDialog shown={shown} />;
}
