/** Of Leaflet's sources, what comes later than the rest. */
declare module 'leaflet/src/map/handler/Map.Keyboard.js' {
  export { Handler as Keyboard } from 'leaflet';
}

declare module 'leaflet/src/map/handler/Map.TouchZoom.js' {
  export { Handler as TouchZoom } from 'leaflet';
}
