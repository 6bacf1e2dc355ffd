import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { Device, Member, MemberRole, Resource } from '@swarmdeck/bff/contract';
import { rowAfterSave } from '../../data/cache/device-row.ts';
import { useTrack } from '../../data/cache/track.ts';
import { changedAt } from '../../data/server-clock.ts';
import { isInside } from '../../ui/urls/map-view-url.ts';
import { useStableFunctions } from '../../ui/browser/stable-functions.ts';
import { readUrl, useUrlState } from '../../ui/urls/url-state.ts';
import type { WallCounts } from './use-wall-counts.ts';
import type { Bbox, WallMap } from './use-wall-map.ts';
import { selection, wallUrl } from './wall-layers.ts';
import type { WallPlace } from './wall-place.ts';
import { readFirst, wallDeviceQuery } from './wall.api.ts';

/** The minimum zoom when the map moves to a device of the list. */
const nearestLook = 6;

/** In the audience of a swarm, it has its role. */
type WallDevice = Device & { resource_type?: MemberRole };

interface WallDeviceOptions {
  place: Pick<WallPlace, 'audience'>;
  /** The selected device from the event stream. */
  liveDevice: Resource | undefined;
  map: WallMap;
  counts: Pick<WallCounts, 'filters'>;
}

/** The selected device of the wall, which the map may follow. */
export function useWallDevice({
  place: { audience },
  liveDevice,
  map: shownMap,
  counts: { filters },
}: WallDeviceOptions) {
  const [url] = useUrlState(wallUrl);
  const { handle: map, seen, zoomNow, setUrl } = shownMap;
  const client = useQueryClient();
  const device = useSelected({ audience, id: url.selected, liveDevice });
  const track = useTrack((url.following && device) || null);
  const [last, setLast] = useState<{ device: Device | Member; stack: Stack | null } | null>(null);
  const stepped = last?.device.id === url.selected ? last : null;
  const lastStep = useRef<string>(undefined);
  return {
    /** Undefined while it loads, null if it no longer exists. */
    device,
    /** While the map follows it. */
    track,
    /** The device that a key or a repeated click selected last. */
    stepped: stepped?.device ?? null,
    stack: stepped?.stack ?? null,
    ...useStableFunctions({
      /** Selects the next or the previous of the devices in a part of the map. */
      step(by: 1 | -1, bbox: Bbox | null, isStack = false) {
        if (!bbox || !filters) return;
        const from = readUrl(wallUrl).selected;
        readFirst(client, { ...filters, bbox }).then(
          ({ items, total }) => {
            const { selected } = readUrl(wallUrl);
            // Another device was selected meanwhile, and not by an earlier step.
            if (selected !== from && selected !== lastStep.current) return;
            const chosen = selectNext({ items, id: selected, by });
            if (!chosen) return;
            lastStep.current = chosen.id;
            setUrl(selection(chosen.id));
            const stack = { at: items.indexOf(chosen) + 1, reachable: items.length, total };
            setLast({ device: chosen, stack: isStack ? stack : null });
          },
          // The wall already shows that the server does not respond.
          () => undefined,
        );
      },
      /** Selects a device of the list. The map moves to it. */
      lookAt({ id, position }: Device | Member) {
        setUrl(selection(id));
        if (!position) return;
        // Without a zoom, it is near enough to separate a cluster.
        const isClustered = seen.current && isInside(seen.current, position) && !map.current?.isSingle(id);
        const zoom = Math.max(zoomNow(), nearestLook);
        map.current?.flyTo(position, isClustered ? undefined : zoom);
      },
      close: () => setUrl(selection(null)),
      toggleFollow() {
        if (url.selected !== null) setUrl(({ following }) => ({ following: !following }));
      },
    }),
  };
}

/** The selected device in a stack of devices at the same position, which clicks select in turn. */
export interface Stack {
  /** Its number, from 1. */
  at: number;
  /** The number of devices that clicks can select. */
  reachable: number;
  total: number;
}

interface SelectedOptions {
  audience: string;
  id: string | null;
  liveDevice: Resource | undefined;
}

/**
 * The selected device as its audience sees it, with the latest position from the event stream. Undefined while it loads, null
 * if it no longer exists.
 */
function useSelected({ audience, id, liveDevice }: SelectedOptions) {
  const fetched = useQuery({ ...wallDeviceQuery({ audience, id: id ?? '' }), enabled: id !== null });
  const device = useMemo(
    () => (fetched.data && liveDevice ? newest(fetched.data, liveDevice) : fetched.data),
    [fetched.data, liveDevice],
  );
  if (id === null) return undefined;
  return device;
}

function newest(read: WallDevice, liveDevice: Resource): WallDevice {
  if (liveDevice.id !== read.id || changedAt(liveDevice) <= read.changed_at) return read;
  const { resource_type } = read;
  return { ...rowAfterSave(read, liveDevice), ...(resource_type && { resource_type }) };
}

interface SelectNextOptions<Item extends { id: string }> {
  items: readonly Item[];
  id: string | null;
  by: 1 | -1;
}

/** The next or the previous item, with wrap-around. Without a selection, the first or the last one. */
export function selectNext<Item extends { id: string }>({ items, id, by }: SelectNextOptions<Item>): Item | undefined {
  const at = items.findIndex((item) => item.id === id);
  if (at < 0) return items.at(by > 0 ? 0 : -1);
  return items.at((at + by) % items.length);
}
