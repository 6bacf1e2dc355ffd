/**
 * How users move a map: each of these registers itself with Leaflet. Its own list also has a long press as a right click, which
 * nothing here listens to, and the box to zoom to, which loads later (map-extras.tsx).
 */
import 'leaflet/src/map/handler/Map.DoubleClickZoom.js';
import 'leaflet/src/map/handler/Map.Drag.js';
import 'leaflet/src/map/handler/Map.Keyboard.js';
import 'leaflet/src/map/handler/Map.ScrollWheelZoom.js';
import 'leaflet/src/map/handler/Map.TouchZoom.js';
