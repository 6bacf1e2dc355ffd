import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { DeviceFilters } from '@swarmdeck/bff/contract';
import { useMapWith } from '../../data/cache/query-cache.ts';
import { useUrlState } from '../../ui/urls/url-state.ts';
import { filtersOf, wallUrl } from './wall-layers.ts';
import type { WallPlace } from './wall-place.ts';
import { wallQuery, type WallSummary } from './wall.api.ts';

/** What the layers show, and how many devices that are. */
export function useWallCounts({ audience }: Pick<WallPlace, 'audience'>) {
  const [{ layers, value }] = useUrlState(wallUrl);
  const query = useQuery(wallQuery(audience));
  useMapWith(wallQuery(audience));
  const filters = useMemo(() => filtersOf({ audience, layers, value }), [audience, layers, value]);
  const [mapped, setMapped] = useState<number>();
  const counts = query.data?.building === undefined ? query.data : undefined;
  return {
    query,
    /** Undefined until they are known. */
    counts,
    /** Null if all layers of a kind are off: the map has no symbols. */
    filters,
    /** Those with a position that are not hidden. Undefined until it is known. */
    placed: placedOf({ counts, filters, mapped }),
    /** Whether layers or a filter by a value hide some. */
    isPart: filters === null || isPartOf(filters),
    /** Called with how many the map has. */
    setMapped,
  };
}

export type WallCounts = ReturnType<typeof useWallCounts>;

const isPartOf = ({ machine_type, resource_type, presence, value }: DeviceFilters) =>
  Boolean(machine_type ?? resource_type ?? presence ?? value);

/** The number of devices with a position that are not hidden. Undefined until it is known. */
function placedOf(options: {
  counts: WallSummary | undefined;
  filters: DeviceFilters | null;
  /** The count of the map. */
  mapped: number | undefined;
}): number | undefined {
  const { counts, filters, mapped } = options;
  if (filters === null) return 0;
  if (isPartOf(filters)) return mapped;
  return counts && counts.total - counts.unplaced;
}
