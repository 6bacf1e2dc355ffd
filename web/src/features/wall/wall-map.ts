import type { ReactNode, RefObject } from 'react';
import type { DeviceFilters, MachineType, MemberRole, Position } from '@swarmdeck/bff/contract';
import type { MapPlace } from '../../ui/map-view-url.ts';

type Bbox = NonNullable<DeviceFilters['bbox']>;

/** The map's interface for a wall. The route passes the map. */
interface WallMap {
  label: string;
  filters: DeviceFilters;
  /** All layers are off, so the map has no symbols. */
  hidden: boolean;
  selected: SelectedOnWall | null;
  hoveredId: string | null;
  insets: Record<'top' | 'right' | 'bottom' | 'left', number>;
  initialView: MapPlace | null;
  /** Colours symbols by the age of their last change at that time of the server's clock. Null: by machine type. */
  colourAt: number | null;
  /** The position that the map follows. */
  follow: Position | null;
  onFollowEnd(): void;
  onSelect(id: string | null): void;
  onHover(id: string | null): void;
  onView(view: MapPlace & { bbox: Bbox }): void;
  onOpenSpot(bbox: Bbox): void;
  /** Called with the number of devices on the map, inside and outside the view. */
  onCount(placed: number): void;
  handle: RefObject<WallMapHandle | null>;
}

interface SelectedOnWall {
  id: string;
  name: string;
  machine_type: MachineType;
  position?: Position | undefined;
  resource_type?: MemberRole;
  changed_at: string;
}

export interface WallMapHandle {
  fit(): void;
  flyTo(position: Position, zoom?: number): void;
  focus(): void;
}

export type RenderWallMap = (props: WallMap) => ReactNode;
