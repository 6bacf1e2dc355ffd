import { useRef, useState } from 'react';
import type { Member } from '@swarmdeck/bff/contract';
import type { Bbox } from '../../../data/filter-params.ts';
import { isInside, type MapHandle, type MapUrlView } from '../../../ui/urls/map-view-url.ts';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';

/** The minimum zoom when the map moves to a selected member. */
const nearestLook = 6;

/** Where the map of the members is. */
export function useMembersMap() {
  const [view, setView] = useState<(MapUrlView & { bbox: Bbox }) | null>(null);
  const handle = useRef<MapHandle>(null);
  return {
    handle,
    /** Null until the map has settled for the first time. */
    view,
    onView: setView,
    ...useStableFunctions({
      /** Moves the map to a member that is out of view. */
      lookAt({ position }: Pick<Member, 'position'>) {
        if (!position || (view && view.zoom >= nearestLook && isInside(view.bbox, position))) return;
        handle.current?.flyTo(position, Math.max(view?.zoom ?? 0, nearestLook));
      },
      /** Zooms to a member that is in view, but in a cluster. Until the view is known, the map shows all members. */
      lookInto({ id, position }: Pick<Member, 'id' | 'position'>) {
        const isSeen = position && (!view || isInside(view.bbox, position));
        if (isSeen && !handle.current?.isSingle(id)) handle.current?.flyTo(position);
      },
    }),
  };
}

export type MembersMap = ReturnType<typeof useMembersMap>;
