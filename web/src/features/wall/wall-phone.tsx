import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { formatNumber, t } from '../../text/text.ts';
import { IconLink } from '../../ui/button.tsx';
import { MoreMenu } from '../../ui/menu.tsx';
import { low as lowQuery } from '../../ui/media.ts';
import '../../ui/sheet.css';
import { useSheetDrag, useSheetInset } from '../../ui/sheet.tsx';
import { FollowButton, WallList, WallLive, WallNewest, WallTitle, type WallParts } from './wall-parts.tsx';
import { WallCard } from './wall-card.tsx';
import { WallChips } from './wall-legend.tsx';
import './wall-phone.css';

interface WallPartProps extends WallParts {
  /** Called with how far the element covers the wall from its edge, in px. */
  onCovered(px: number): void;
}

interface CoveredOptions extends Pick<WallPartProps, 'onCovered'> {
  part: RefObject<HTMLElement | null>;
  edge: 'top' | 'bottom';
}

function useCovered({ part, edge, onCovered }: CoveredOptions): void {
  useLayoutEffect(() => {
    const element = part.current;
    if (!element) return undefined;
    const measure = () => onCovered(element.offsetHeight + (edge === 'top' ? element.offsetTop : 0));
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [part, edge, onCovered]);
}

/** The title and the connection status. */
export function WallBar({ wall, audience, swarm, leaveTo, legend: { counts }, onCovered }: WallPartProps) {
  const { fullScreen, onMap } = wall;
  const bar = useRef<HTMLElement>(null);
  useCovered({ part: bar, edge: 'top', onCovered });
  const more = [
    {
      id: 'list',
      label: wall.url.list ? t.wall.close_list : t.wall.list,
      icon: 'list' as const,
      onSelect: wall.toggleList,
    },
    { id: 'fit', label: t.wall.fit, icon: 'fit' as const, onSelect: () => onMap.handle.current?.fit() },
    ...(fullScreen
      ? [
          {
            id: 'full',
            label: fullScreen.on ? t.wall.end_full_screen : t.wall.full_screen,
            icon: 'expand' as const,
            onSelect: fullScreen.toggle,
          },
        ]
      : []),
  ];
  return (
    <header ref={bar} className="line gap-1 floating wall-bar">
      <IconLink icon="close" to={leaveTo} label={t.wall.leave} />
      <div className="fill wall-title">
        <WallTitle swarm={swarm} />
        <p className="quiet numbers">
          {counts && wall.placed !== undefined
            ? t.wall.placed(formatNumber(wall.placed), formatNumber(counts.total))
            : '…'}
        </p>
      </div>
      <WallLive audience={audience} />
      <MoreMenu look="quiet" label={t.wall.more} items={more} />
    </header>
  );
}

/** The sheet of a phone: the selected device and the legend. */
export function WallSheet({ wall, audience, swarm, views, legend, onCovered }: WallPartProps) {
  const sheet = useRef<HTMLElement>(null);
  useCovered({ part: sheet, edge: 'bottom', onCovered });
  const chosen = wall.url.selected !== null;
  const [open, setOpen] = useState(() => !matchMedia(lowQuery).matches);
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
        {chosen ? (
          <WallCard wall={wall} swarm_id={swarm?.id} />
        ) : (
          <div className="wall-sheet-title">
            <h2>{t.wall.legend}</h2>
            <WallNewest audience={audience} counts={legend.counts} />
          </div>
        )}
        {views}
        <FollowButton wall={wall} />
      </div>
      {open && (wall.url.list ? <WallList wall={wall} /> : <WallChips {...legend} />)}
    </section>
  );
}
