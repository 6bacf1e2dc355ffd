import type { Map as LeafletMap } from 'leaflet';
import { useState, type ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { Icon, type IconName } from '../../../ui/symbols/icon.tsx';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { prefersReducedMotion } from '../../../ui/browser/media.ts';
import { useEventListener } from '../../../ui/browser/use-event-listener.ts';
import { freeOffset, type Insets } from '../geometry/view.ts';
import { useLeafletEvents } from './map-events.ts';

const MapLegend = lazyPart(async () => (await import('./map-legend.tsx')).MapLegend);

interface MapControlsProps {
  map: LeafletMap;
  insets: Insets;
  fitLabel?: string;
  onFit?: (() => void) | undefined;
  onLocate?: (() => void) | undefined;
  legend?: boolean;
}

/** Zoom, fit, locate, and the legend on a map of many devices. Siblings of the map, not children. */
export function MapControls({ map, insets, fitLabel = t.map.fit, onFit, onLocate, legend = false }: MapControlsProps) {
  const { zoomBy, isNearest, isFurthest } = useZoom({ map, insets });
  return (
    <div className="map-controls">
      <div className="map-control-group">
        <Control icon="plus" label={t.map.zoom_in} full={isNearest} onClick={() => zoomBy(1)} />
        <Control icon="minus" label={t.map.zoom_out} full={isFurthest} onClick={() => zoomBy(-1)} />
      </div>
      {(onFit || onLocate) && (
        <div className="map-control-group">
          {onFit && <Control icon="fit" label={fitLabel} onClick={onFit} />}
          {onLocate && <Control icon="locate" label={t.map.locate} onClick={onLocate} />}
        </div>
      )}
      {legend && <LegendControl />}
    </div>
  );
}

function LegendControl() {
  const [open, setOpen] = useState(false);
  const toggle = () => setOpen(!open);
  return (
    <div className="map-legend-place">
      <div className="map-control-group">
        <Control icon="list" label={t.map.legend} expanded={open} onClick={toggle}>
          <span className="map-control-text">{t.map.legend}</span>
        </Control>
      </div>
      {open && <MapLegend onClose={toggle} />}
    </div>
  );
}

interface ControlProps {
  icon: IconName;
  label: string;
  /** The limit is reached. The button stays focusable, so that a held key keeps its focus. */
  full?: boolean;
  /** While it is expanded, Esc presses it too. */
  expanded?: boolean;
  onClick: () => void;
  children?: ReactNode;
}

function Control({ icon, label, full = false, expanded, onClick, children }: ControlProps) {
  return (
    <button
      type="button"
      className="hoverable map-control"
      title={label}
      aria-expanded={expanded}
      aria-disabled={full || undefined}
      onClick={full ? undefined : onClick}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !expanded) return;
        event.stopPropagation();
        onClick();
      }}
    >
      <Icon name={icon} size={20} />
      {children}
    </button>
  );
}

type Step = 1 | -1;

/**
 * Changes the zoom around the centre of the free part, by buttons and by + and - on the map. From a fractional zoom it
 * goes to the next whole one, which is the sharpest.
 */
function useZoom({ map, insets }: { map: LeafletMap; insets: Insets }) {
  const { x, y } = freeOffset(insets);
  // The values are read from Leaflet during rendering; this state only triggers a render.
  const [, setShown] = useState('');
  const show = () => setShown([map.getZoom(), map.getMinZoom()].join());
  useLeafletEvents(map, { zoomend: show, zoomlevelschange: show });

  const container = map.getContainer();
  useEventListener(container, 'keydown', (event) => {
    const step = stepOf(event.key);
    if (step === null || event.target !== container || event.ctrlKey || event.metaKey) return;
    // Leaflet's own keys would zoom around the centre of the whole map.
    event.stopPropagation();
    zoomBy({ map, step, x, y });
  });

  return {
    zoomBy: (step: Step) => zoomBy({ map, step, x, y }),
    isNearest: map.getZoom() >= map.getMaxZoom(),
    isFurthest: map.getZoom() <= map.getMinZoom(),
  };
}

function stepOf(key: string): Step | null {
  if (key === '+' || key === '=') return 1;
  return key === '-' || key === '_' ? -1 : null;
}

function zoomBy({ map, step, x, y }: { map: LeafletMap; step: Step; x: number; y: number }): void {
  const zoom = map.getZoom();
  const next = step > 0 ? Math.floor(zoom) + 1 : Math.ceil(zoom) - 1;
  const within = Math.min(map.getMaxZoom(), Math.max(map.getMinZoom(), next));
  map.setZoomAround(map.getSize().divideBy(2).add([x, y]), within, { animate: !prefersReducedMotion() });
}
