import type { ReactNode, RefObject } from 'react';
import type { DeviceFilters, Member, Position } from '@swarmdeck/bff/contract';
import type { MapUrlView } from '../../../ui/map-view-url.ts';

/** The map's interface for the members tab. The route passes the map. */
interface MembersMap {
  filters: DeviceFilters;
  selected: Pick<Member, 'id' | 'name' | 'machine_type' | 'position' | 'resource_type'> | null;
  hoveredId: string | null;
  onSelect(id: string | null): void;
  onHover(id: string | null): void;
  onView(view: MapUrlView & { bbox: [number, number, number, number] }): void;
  /** Called for a click on a cluster that no zoom separates. */
  onOpenStack(bbox: [number, number, number, number]): void;
  /** The height of the map that a sheet covers, in px. */
  covered: number;
  handle: RefObject<MembersMapHandle | null>;
}

export interface MembersMapHandle {
  fit(): void;
  flyTo(position: Position, zoom?: number): void;
  focus(): void;
}

export type RenderMembersMap = (props: MembersMap) => ReactNode;
