import { useState } from 'react';
import { shareHook } from '../../../ui/share-hook.tsx';

/** Choosing the position of the device on its map. */
export const [DevicePlacingProvider, useDevicePlacing] = shareHook(function useDevicePlacingState() {
  const [isPlacing, setPlacing] = useState(false);
  return { isPlacing, toggle: () => setPlacing(!isPlacing), stop: () => setPlacing(false) };
});
