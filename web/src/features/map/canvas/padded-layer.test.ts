import { Map as LeafletMap, Point } from 'leaflet';
import { expect, test, vi } from 'vitest';
import { PaddedLayer, paddedView } from './padded-layer.ts';

/** Finds after its first drawing that it need not draw again. */
class DrawnOnce extends PaddedLayer<object> {
  private isDrawn = false;

  protected override redraw(): void {
    if (!this.isDrawn) this.freshContext(paddedView(this._map));
    this.isDrawn = true;
  }

  get place(): string {
    const { transform, left, top } = this.canvas.style;
    return transform || `(${left}, ${top})`;
  }
}

test('after a reset of the view, what is not drawn again is where it belongs', async () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.spyOn(LeafletMap.prototype, 'getSize').mockImplementation(() => new Point(800, 600));
  const map = new LeafletMap(document.createElement('div'), { center: [40, 10], zoom: 3, zoomAnimation: false });
  const layer = new DrawnOnce({ className: 'names', state: {} }).addTo(map);
  const belongs = () => expect.stringContaining(`(${paddedView(map).corner.x}px, ${paddedView(map).corner.y}px`);
  await vi.waitFor(() => expect(layer.place).toEqual(belongs()));
  const before = layer.place;
  // Leaflet moves the pane, and a reset begins a new one: the same view has another corner in it.
  map.panBy([200, 100], { animate: false });
  map.setView(map.getCenter(), 3, { animate: false, reset: true } as object);
  map.panBy([-200, -100], { animate: false });
  expect(layer.place).not.toBe(before);
  expect(layer.place).toEqual(belongs());
  map.remove();
});
