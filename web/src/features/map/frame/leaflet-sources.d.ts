declare module 'leaflet/src/map/handler/*.js' {
  import type { Handler } from 'leaflet';

  export const BoxZoom: typeof Handler;
}
