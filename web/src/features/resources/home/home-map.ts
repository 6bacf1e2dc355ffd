import type { RefObject } from 'react';
import type { Device, DeviceFilters, Position } from '@swarmdeck/bff/contract';
import type { MapPlace } from '../../../ui/map-view-url.ts';
import type { Bbox } from '../device-filters.ts';

/** The map's interface for the home page. The route passes the map. */
export interface HomeMap {
  filters: DeviceFilters;
  selected: Pick<Device, 'id' | 'name' | 'machine_type' | 'position'> | null;
  hoveredId: string | null;
  /** The part of the map below panel and sheet, in px. */
  insets: Record<'top' | 'right' | 'bottom' | 'left', number>;
  initialView: MapPlace | null;
  onSelect(id: string | null): void;
  onHover(id: string | null): void;
  /** A box was drawn with Shift and the mouse. */
  onBox(bbox: Bbox): void;
  onView(view: MapPlace & { bbox: Bbox }): void;
  onOpenSpot(bbox: Bbox): void;
  /** Set while a device is being placed: the next click gives its position. */
  placing: { name: string; onPlace(position: Position): void; onCancel(): void } | null;
  handle: RefObject<HomeMapHandle | null>;
}

export interface HomeMapHandle {
  fit(): void;
  flyTo(position: Position, zoom?: number): void;
  focus(): void;
}
