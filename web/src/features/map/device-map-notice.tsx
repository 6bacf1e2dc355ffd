import type { DeviceFilters } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../text/text.ts';
import { MapNotice } from './canvas/map-notice.tsx';
import type { MapSummary } from './map.api.ts';
import type { StoredMap } from './stored-map.ts';

interface DeviceMapNoticeProps {
  failed: boolean;
  onRetry: () => void;
  /** The progress of the server's index, from 0 to 1. */
  building: number | undefined;
  /** The server cannot be reached, and nothing that is stored says which devices these are. */
  isUnknown: boolean;
  /** There was no response yet. */
  isLoading: boolean;
  /** The response for the view; null while it loads. */
  view: MapSummary | null;
  filters: DeviceFilters;
  /** What is shown while the server cannot be reached. */
  stored: StoredMap | null;
  onFit: () => void;
}

/** The map's message about its devices, if any: that they could not be loaded, or that none is in view. */
export function DeviceMapNotice({
  failed,
  onRetry,
  building,
  isUnknown,
  isLoading,
  view,
  filters,
  stored,
  onFit,
}: DeviceMapNoticeProps) {
  if (failed) return <MapNotice text={t.map.failed} action={t.shell.kit.retry} onAction={onRetry} />;
  if (building !== undefined) return <MapNotice text={t.map.reading(formatNumber(Math.round(building * 100)))} />;
  if (isUnknown) return <MapNotice delayed text={t.map.unknown} />;
  if (isLoading) return <MapNotice delayed text={t.map.loading} />;
  if (view === null) return null;
  // The list says the same of filtered devices.
  if (stored && view.inSight && stored.total < stored.all && !isFiltered(filters)) {
    return <MapNotice text={t.map.stored_part(formatNumber(stored.total), formatNumber(stored.all))} />;
  }
  if (view.inSight) return null;
  const placed = view.total - view.unplaced;
  if (placed > 0) {
    return <MapNotice text={t.map.nothing_here} action={t.map.fit_all(formatNumber(placed))} onAction={onFit} />;
  }
  if (filters.placed === 'no' && view.total > 0) return <MapNotice text={t.map.no_positions} />;
  return isFiltered(filters) ? <MapNotice text={t.map.nothing_here} /> : null;
}

function isFiltered({ audience: _audience, bbox: _bbox, ...filters }: DeviceFilters): boolean {
  return Object.values(filters).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)));
}
