import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { formatNumber, t } from '../../text/text.ts';
import { IconLink } from '../../ui/buttons/button.tsx';
import { CommandMenu } from '../../ui/dialogs/command-menu.tsx';
import type { CommandId } from '../../ui/keys/commands.ts';
import { useOffered } from '../../ui/keys/keys-provider.tsx';
import '../../ui/sheet/sheet.css';
import { useSheetDrag } from '../../ui/sheet/sheet-drag.ts';
import { useSheetInset } from '../../ui/sheet/sheet.tsx';
import { FollowButton, WallCard, WallList, WallLive, WallNewest, WallTitle } from './wall-parts.tsx';
import { WallChips } from './wall-legend.tsx';
import { useWall } from './wall-state.ts';
import { useWallUrl } from './use-wall-url.ts';
import './wall-phone.css';

/** Tells the map how far a part covers it from an edge. */
function useCovered(part: RefObject<HTMLElement | null>, edge: 'top' | 'bottom'): void {
  const { onCovered } = useWall('map');
  useLayoutEffect(() => {
    const element = part.current;
    if (!element) return undefined;
    const measure = () => onCovered(edge, element.offsetHeight + (edge === 'top' ? element.offsetTop : 0));
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [part, edge, onCovered]);
}

/** The others have buttons, or are for a keyboard. */
const inMenu: ReadonlySet<string> = new Set<CommandId<'wall'>>(['list', 'fit', 'full_screen']);

/** The title and the connection status. */
export function WallBar() {
  const { leaveTo } = useWall('place');
  const { counts, placed, isPart } = useWall('counts');
  const menu = useOffered('wall').filter(({ id }) => inMenu.has(id));
  const bar = useRef<HTMLElement>(null);
  useCovered(bar, 'top');
  return (
    <header ref={bar} className="line gap-1 floating wall-bar">
      <IconLink icon="close" to={leaveTo} label={t.wall.leave} />
      <div className="fill wall-title">
        <WallTitle />
        <p className="quiet numbers">
          {counts && placed !== undefined
            ? t.wall.placed(formatNumber(placed), formatNumber(counts.total), isPart)
            : '…'}
        </p>
      </div>
      <WallLive />
      <CommandMenu look="quiet" label={t.wall.more} commands={menu} />
    </header>
  );
}

/** The sheet of a phone: the selected device and the legend. */
export function WallSheet({ views }: { views: ReactNode }) {
  const [{ selected }] = useWallUrl();
  const list = useWall('list');
  const sheet = useRef<HTMLElement>(null);
  useCovered(sheet, 'bottom');
  const { isOpenInSheet: open, setOpenInSheet: setOpen } = useWall('legend');
  const [dragged, setDragged] = useState(0);
  const { handle, isDragClick } = useSheetDrag({
    sheet,
    isHighest: open,
    onDrag: (up) => setDragged(open ? Math.min(0, up) : 0),
    onEnd(drag) {
      setDragged(0);
      if (drag && Math.abs(drag.up) > 24) setOpen(drag.up > 0);
    },
  });
  useSheetInset(sheet);
  return (
    <section
      ref={sheet}
      className="stack wall-sheet"
      aria-label={t.wall.panel}
      style={{ translate: `0 ${-dragged}px` }}
    >
      <button
        type="button"
        className="sheet-handle"
        aria-label={t.wall.legend}
        aria-expanded={open}
        {...handle}
        onClick={() => {
          if (!isDragClick()) setOpen(!open);
        }}
      />
      <div className="wall-sheet-head">
        {selected !== null ? (
          <WallCard />
        ) : (
          <div className="wall-sheet-title">
            <h2>{t.wall.legend}</h2>
            <WallNewest />
          </div>
        )}
        {views}
        <FollowButton />
      </div>
      {open && (list.isOpen ? <WallList /> : <WallChips />)}
    </section>
  );
}
