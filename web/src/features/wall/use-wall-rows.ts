import type { Device, Member } from '@swarmdeck/bff/contract';
import { presenceStates } from '@swarmdeck/bff/field-rules';
import { usePagedQuery } from '../../data/cache/paged-query.ts';
import { isByValue } from '../../data/filter-params.ts';
import { useWall } from './wall-state.ts';
import { wallListQuery } from './wall.api.ts';

/** The rows of the list. Silent devices come first: they are a list of their own, which is read before that of the others. */
export function useWallRows() {
  const { audience } = useWall('place');
  const query = useWall('query');
  const { filters: layers } = useWall('counts');
  const { search: q, order, valueKey } = useWall('list');
  const hasLayers = layers !== null;
  const byValue = isByValue(order) && valueKey !== undefined && { value: valueKey };
  const filters = { ...(layers ?? { audience }), ...(q && { q }), ...byValue, sort: order };
  const states = filters.presence ?? presenceStates;
  const others = states.filter((state) => state !== 'silent');
  const isSilenceFirst = !isByValue(order) && states.includes('silent') && (query.data?.presence.silent ?? 0) > 0;
  const silent = usePagedQuery({
    ...wallListQuery({ ...filters, presence: ['silent'] }),
    enabled: hasLayers && isSilenceFirst,
  });
  const rest = usePagedQuery({
    ...wallListQuery(isSilenceFirst ? { ...filters, presence: others } : filters),
    enabled: hasLayers && others.length > 0,
  });
  const lists = [...(isSilenceFirst ? [silent] : []), ...(others.length > 0 || !isSilenceFirst ? [rest] : [])];
  // The next list begins when all of the one before are loaded.
  const last = lists.findIndex(({ query: { data, hasNextPage } }) => !data || hasNextPage);
  const shown = lists.slice(0, last < 0 ? lists.length : last + 1);
  // A device that falls silent may be in both for a moment.
  const byId = new Map<string, Device | Member>(shown.flatMap((list) => list.rows).map((row) => [row.id, row]));
  const totals = lists.map(({ first }) => first?.total);
  return {
    rows: hasLayers ? [...byId.values()] : [],
    /** Undefined until it is known. */
    total: hasLayers
      ? totals.reduce((sum, each) => (sum === undefined || each === undefined ? undefined : sum + each), 0)
      : 0,
    /** The query of the list that is being read. */
    query: shown.at(-1)!.query,
    isPending: hasLayers && shown.at(-1)!.query.isPending,
  };
}
