/** A map library under test: it gets all devices at once, and then moves. Positions are longitude, latitude, ... */
export interface Peer {
  /** Resolves when they are drawn; they become visible one or two frames later (`painted`). */
  show(points: Float64Array): Promise<void>;
  /** Moves these, in order of their numbers; resolves when that is drawn. */
  move(numbers: number[], points: Float64Array): Promise<void>;
}

/** What all maps of the bench show first: much of the world. Leaflet's zoom; MapLibre's is one less. */
export const start = { longitude: 20, latitude: 30, zoom: 3 };
export const clusterRadius = 60;
export const maxZoom = 18;

/** Resolves in the frame after the next one, when what was drawn is visible. */
export function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}

export function box(): HTMLElement {
  return document.querySelector<HTMLElement>('#map')!;
}
