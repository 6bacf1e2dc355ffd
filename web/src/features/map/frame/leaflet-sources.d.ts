/** Leaflet modules that are loaded lazily. */
declare module 'leaflet/src/map/handler/Map.Keyboard.js' {
  export { Handler as Keyboard } from 'leaflet';
}

declare module 'leaflet/src/map/handler/Map.TouchZoom.js' {
  export { Handler as TouchZoom } from 'leaflet';
}
