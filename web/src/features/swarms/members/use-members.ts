import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState, type RefObject } from 'react';
import { useNavigate } from 'react-router';
import type { DeviceFilters, Member, SwarmItem } from '@swarmdeck/bff/contract';
import type { Bbox } from '../../../data/filter-params.ts';
import { usePagedQuery } from '../../../data/cache/paged-query.ts';
import { useMapWith } from '../../../data/cache/query-cache.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { isInside, type MapHandle, type MapUrlView } from '../../../ui/map-view-url.ts';
import { useHiddenSelection } from '../../../ui/use-hidden-selection.ts';
import { shareHook } from '../../../ui/share-hook.tsx';
import { useUrlState } from '../../../ui/url-state.ts';
import { isListedMember, memberQuery, membersQuery } from '../swarms.api.ts';
import { membersUrl, withoutBbox, type MemberFilters, type MemberSort } from './member-filters.ts';

/** The minimum zoom when the map moves to a selected member. */
const nearestLook = 6;

/** The search, filters and selection that the table of members shares with the map. */
export function useMembers(swarm: SwarmItem) {
  const { id } = swarm;
  const navigate = useNavigate();
  const [url, setUrl] = useUrlState(membersUrl);
  const { filters, sort, selected: selectedId } = url;
  const [hovered, setHovered] = useState<string | null>(null);
  const [view, setView] = useState<(MapUrlView & { bbox: Bbox }) | null>(null);
  const map = useRef<MapHandle>(null);

  const { query, rows, first } = usePagedQuery(membersQuery({ id, filters, sort }));
  const inList = rows.find((member) => member.id === selectedId);
  const unlisted = useQuery({
    ...memberQuery({ id, resource_id: selectedId ?? '' }),
    enabled: selectedId !== null && !inList && !query.isPending,
  }).data;
  const selected = selectedId === null ? null : (inList ?? unlisted ?? null);

  useMapWith(membersQuery({ id, filters, sort }));

  const changeFilters = (change: (now: MemberFilters) => MemberFilters) =>
    setUrl((now) => ({ filters: change(now.filters) }));
  const lookAt = ({ position }: Pick<Member, 'position'>) => {
    if (!position || (view && view.zoom >= nearestLook && isInside(view.bbox, position))) return;
    map.current?.flyTo(position, Math.max(view?.zoom ?? 0, nearestLook));
  };
  /** Zooms to a member that is in view, but in a cluster. Until the view is known, the map shows all members. */
  const lookInto = ({ id, position }: Pick<Member, 'id' | 'position'>) => {
    const isSeen = position && (!view || isInside(view.bbox, position));
    if (isSeen && !map.current?.isSingle(id)) map.current?.flyTo(position);
  };
  const select = (id: string | null) => setUrl({ selected: id });
  useHiddenSelection({
    codec: membersUrl,
    url,
    isLoading: query.isPlaceholderData,
    // The map also shows members outside the stack.
    isListed: async (resource_id) =>
      inList !== undefined || isListedMember({ id, filters: withoutBbox(filters), resource_id }),
    deselect: () => select(null),
  });
  // Moves the map to the member of a link, once the map exists.
  const looked = useRef(selectedId === null);
  const arrived = useEffectEvent((member: Member) => lookAt(member));
  useEffect(() => {
    if (looked.current || !selected || view === null) return;
    looked.current = true;
    arrived(selected);
  }, [selected, view]);
  // The map shows all members, not only those of the stack.
  const mapFilters = useMemo<DeviceFilters>(() => {
    return { audience: `swarm:${id}`, ...withoutBbox(filters) };
  }, [id, filters]);

  return {
    query,
    rows,
    facets: first?.facets,
    total: first?.total,
    filters,
    sort,
    changeSort: (next: MemberSort) => setUrl({ sort: next }),
    filtered: Object.keys(filters).length > 0,
    changeFilters,
    selected,
    hovered,
    setHovered,
    /** Called by the table: the map moves to the member. */
    select: (member: Member) => {
      select(member.id);
      lookAt(member);
      lookInto(member);
    },
    open: (member: Member) => void navigate(`/devices/${member.id}`),
    onMap: {
      filters: mapFilters,
      selected,
      hoveredId: hovered,
      onSelect: select,
      onHover: setHovered,
      onView: setView,
      onOpenStack: (bbox: Bbox) => changeFilters((now) => ({ ...now, bbox })),
    },
    map,
    emptied: useEmptied(first?.facets.all),
  };
}

/** The number of times that the last member has left. Each time the map starts with a new view. */
function useEmptied(all: number | undefined): number {
  const client = useQueryClient();
  const before = useRef(all);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const isEmptied = all === 0 && before.current !== undefined && before.current > 0;
    if (all !== undefined) before.current = all;
    if (!isEmptied) return;
    client.removeQueries({ queryKey: queryKeys.map.all });
    setTimes((count) => count + 1);
  }, [client, all]);
  return times;
}

export type Members = ReturnType<typeof useMembers>;

type MembersMap = Members['onMap'] & {
  /** The height of the map that a sheet covers, in px. */
  covered: number;
  handle: RefObject<MapHandle | null>;
};

/** What the map of the members shows. The route passes this map as an element, which reads it. */
export const [MembersMapProvider, useMembersMap] = shareHook(function useMembersMapState(value: MembersMap) {
  return value;
});
