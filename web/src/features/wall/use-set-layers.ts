import { useWallUrl } from './use-wall-url.ts';
import { isOn, selection, type Layers } from './wall-layers.ts';
import { useWall } from './wall-state.ts';

/** Shows other layers. A selected device that they do not contain loses its card. */
export function useSetLayers(): (layers: Layers) => void {
  const [, setUrl] = useWallUrl();
  const { device } = useWall('device');
  return (layers) => setUrl({ layers, ...(device && !isOn(layers, device) && selection(null)) });
}
