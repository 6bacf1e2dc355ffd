import type { Map as LeafletMap } from 'leaflet';
import { lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { prefersReducedMotion } from './motion.ts';
import { useLeafletEvents } from './use-leaflet-events.ts';

const MapLegend = lazy(async () => ({ default: (await import('./map-legend.tsx')).MapLegend }));

/** Zoom, fit, locate and, on a map of many devices, the legend. Beside the map in the tree, not inside it. */
export function MapControls({
  map,
  fitLabel = t.map.fit,
  onFit,
  onLocate,
  legend = false,
}: {
  map: LeafletMap;
  fitLabel?: string;
  onFit?: (() => void) | undefined;
  onLocate?: (() => void) | undefined;
  legend?: boolean;
}) {
  const [, setZoom] = useState(map.getZoom());
  useLeafletEvents(map, { zoomend: () => setZoom(map.getZoom()), zoomlevelschange: () => setZoom(Number.NaN) });
  const zoom = map.getZoom();
  // from between two levels to the next whole one, where lines and symbols are at their best
  const zoomTo = (next: number) => map.setZoom(next, { animate: !prefersReducedMotion() });

  return (
    <div className="map-controls">
      <div className="map-control-group">
        <Control
          icon="plus"
          label={t.map.zoom_in}
          full={zoom >= map.getMaxZoom()}
          onClick={() => zoomTo(Math.floor(zoom) + 1)}
        />
        <Control
          icon="minus"
          label={t.map.zoom_out}
          full={zoom <= map.getMinZoom()}
          onClick={() => zoomTo(Math.ceil(zoom) - 1)}
        />
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
  return (
    <div className="map-legend-place">
      <div className="map-control-group">
        <Control
          icon="list"
          label={t.map.legend}
          expanded={open}
          onClick={() => setOpen(!open)}
          onEscape={() => setOpen(false)}
        >
          <span className="map-control-text">{t.map.legend}</span>
        </Control>
      </div>
      {open && (
        <Suspense>
          <MapLegend />
        </Suspense>
      )}
    </div>
  );
}

function Control({
  icon,
  label,
  full = false,
  expanded,
  onClick,
  onEscape,
  children,
}: {
  icon: IconName;
  label: string;
  /** There is no further: stays focusable, so that a key held down does not lose its place. */
  full?: boolean;
  expanded?: boolean;
  onClick: () => void;
  onEscape?: () => void;
  children?: ReactNode;
}) {
  return (
    <button
      type="button"
      className="map-control"
      title={label}
      aria-label={label}
      aria-expanded={expanded}
      aria-disabled={full || undefined}
      onClick={full ? undefined : onClick}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !expanded) return;
        event.stopPropagation();
        onEscape?.();
      }}
    >
      <Icon name={icon} size={20} />
      {children}
    </button>
  );
}
