declare module 'leaflet/src/control/Control.Scale.js' {
  import type { Control } from 'leaflet';

  export const Scale: typeof Control.Scale;
}
