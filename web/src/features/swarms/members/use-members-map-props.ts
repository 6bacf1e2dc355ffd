import { useMemo } from 'react';
import type { DeviceFilters } from '@swarmdeck/bff/contract';
import type { Bbox, ValueFilter } from '../../../data/filter-params.ts';
import { insetsOf } from '../../../ui/map-view-url.ts';
import { phone, useMedia } from '../../../ui/media.ts';
import { useHover, useHoveredId } from '../../../ui/use-hover.ts';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { withoutBbox } from './member-filters.ts';
import { useMemberFilters } from './use-member-filters.ts';
import { useMembersMap } from './use-members-map.ts';
import { useMembersSheet } from './use-members-sheet.ts';
import { useSelectedMember } from './use-selected-member.ts';

/** What the map of the members shows, and what it does. */
export function useMembersMapProps() {
  const { swarm } = useShownSwarm();
  const { filters, change, valueKey = null, byValue } = useMemberFilters();
  const { handle, onView } = useMembersMap();
  const { member, select } = useSelectedMember();
  const { height } = useMembersSheet();
  const isPhone = useMedia(phone);
  const bottom = isPhone ? height : 0;
  return {
    // The map shows all members, not only those of the stack.
    filters: useMemo<DeviceFilters & ValueFilter>(
      () => ({ audience: `swarm:${swarm.id}`, ...withoutBbox(filters) }),
      [swarm.id, filters],
    ),
    valueKey,
    byValue,
    selected: member,
    hoveredId: useHoveredId(),
    insets: useMemo(() => insetsOf({ bottom }), [bottom]),
    initialView: null,
    handle,
    onSelect: select,
    onHover: useHover().set,
    onView,
    onOpenStack: (bbox: Bbox) => change((now) => ({ ...now, bbox })),
  };
}
