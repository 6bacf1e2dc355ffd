import type { DeviceFilters } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../text/text.ts';
import { MapNotice } from './frame/map-notice.tsx';
import type { MapSummary } from './map.api.ts';

/** What the map has to say about its devices, if anything: that they could not be read, or that none of them is here. */
export function DeviceMapNotice({
  failed,
  onRetry,
  building,
  view,
  filters,
  onFit,
}: {
  failed: boolean;
  onRetry: () => void;
  /** How much the server has read, from 0 to 1, of what it cannot answer before. */
  building: number | undefined;
  /** The answer for what is seen; null while it is on its way. */
  view: MapSummary | null;
  filters: DeviceFilters;
  onFit: () => void;
}) {
  if (failed) return <MapNotice text={t.map.failed} action={t.map.retry} onAct={onRetry} />;
  if (building !== undefined) return <MapNotice text={t.map.reading(formatNumber(Math.round(building * 100)))} />;
  if (view === null || view.inSight) return null;
  const placed = view.total - view.unplaced;
  if (placed > 0) {
    return <MapNotice text={t.map.nothing_here} action={t.map.fit_all(formatNumber(placed))} onAct={onFit} />;
  }
  return isFiltered(filters) ? <MapNotice text={t.map.nothing_here} /> : null;
}

function isFiltered({ q, machine_type, swarm, placed }: DeviceFilters): boolean {
  return Boolean(q || machine_type?.length || swarm || placed);
}
