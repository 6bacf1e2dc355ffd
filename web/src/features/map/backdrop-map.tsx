import { useEffect, useRef } from 'react';
import { t } from '../../text/text.ts';
import { drawBasemap } from './basemap/basemap.draw.ts';
import { worldSource } from './basemap/world.load.ts';
import { useMapColours } from './canvas/map-colours.ts';
import { worldSize, worldX, worldY } from './geometry/mercator.ts';
import './map.css';
import './backdrop-map.css';
import type { createStaticNames } from './names/names.draw.ts';

/** Centres Europe, south of the Baltic. */
const CENTRE = { longitude: 13, latitude: 50.8 };
const ZOOM = 5.3;

/** The built-in map as a static background of a form, without Leaflet. */
export function BackdropMap() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useMapColours();

  useEffect(() => {
    const element = canvas.current!;
    let stopped = false;
    let names: ReturnType<typeof createStaticNames> | undefined;
    const draw = () => {
      const world = worldSource.at(Math.floor(ZOOM));
      if (world === null) return;
      const { clientWidth: width, clientHeight: height } = element;
      element.width = Math.round(width * devicePixelRatio);
      element.height = Math.round(height * devicePixelRatio);
      const context = element.getContext('2d', { alpha: false });
      if (context === null) return;
      context.scale(devicePixelRatio, devicePixelRatio);
      const scale = worldSize(ZOOM);
      const left = worldX(CENTRE.longitude) * scale - width / 2;
      const top = worldY(CENTRE.latitude) * scale - height / 2;
      const frame = { scale, left, top, width, height };
      drawBasemap({ context, land: [world], waters: worldSource.watersWithin(ZOOM, frame), colours, frame });
      names?.draw({ context, countries: world.names, frame, zoom: ZOOM });
    };
    const nameAll = async () => {
      const { createStaticNames } = await import('./names/names.draw.ts');
      if (stopped) return;
      names = createStaticNames({ colours, onLoad: draw });
      draw();
    };
    nameAll().catch(() => undefined);
    const stopWatching = worldSource.subscribe(draw);
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => {
      stopped = true;
      names?.stop();
      stopWatching();
      observer.disconnect();
    };
  }, [colours]);

  return (
    <div className="map map-backdrop">
      <canvas ref={canvas} className="map-backdrop-canvas" aria-hidden="true" />
      <p className="map-credits">{t.map.credits}</p>
    </div>
  );
}
