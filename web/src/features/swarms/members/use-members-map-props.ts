import { useMemo } from 'react';
import type { DeviceFilters } from '@swarmdeck/bff/contract';
import type { Bbox, ValueFilter } from '../../../data/filter-params.ts';
import { insetsOf } from '../../../ui/urls/map-view-url.ts';
import { phone, useMedia } from '../../../ui/browser/media.ts';
import { useHoveredId } from '../../../ui/lists/use-hover.ts';
import { useMembers } from './members-state.ts';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { withoutBbox } from './member-filters.ts';
import { useMemberFilters, useShownValue } from './use-member-filters.ts';

/** The members on their map, and how they are drawn. */
export function useMembersSymbols() {
  const { swarm } = useShownSwarm();
  const { filters } = useMemberFilters();
  const { valueKey = null, byValue } = useShownValue();
  const { member } = useMembers('selected');
  return {
    // The map shows all members, not only those of the stack.
    filters: useMemo<DeviceFilters & ValueFilter>(
      () => ({ audience: `swarm:${swarm.id}`, ...withoutBbox(filters) }),
      [swarm.id, filters],
    ),
    look: { valueKey, byValue },
    selected: member,
    hoveredId: useHoveredId(useMembers('hover')),
  };
}

/** Where the map of the members is, and what covers it. */
export function useMembersMapView() {
  const { handle, onView } = useMembers('map');
  const { height } = useMembers('sheet');
  const isPhone = useMedia(phone);
  const bottom = isPhone ? height : 0;
  return { handle, onView, initialView: null, insets: useMemo(() => insetsOf({ bottom }), [bottom]) };
}

/** What the pointer and the keys do on the map of the members. */
export function useMembersMapInput() {
  const { change } = useMemberFilters();
  const { select } = useMembers('selected');
  return {
    onSelect: select,
    onHover: useMembers('hover').set,
    onOpenStack: (bbox: Bbox) => change((now) => ({ ...now, bbox })),
  };
}
