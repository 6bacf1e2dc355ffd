import { useState } from 'react';
import { shareHook } from '../../../ui/share-hook.tsx';

/** Choosing the position of the device on its map. */
export const [DevicePlacingProvider, useDevicePlacing] = shareHook(function useDevicePlacingState() {
  const [isPlacing, setPlacing] = useState(false);
  /** The search of a place. */
  const [q, search] = useState('');
  const change = (next: boolean) => {
    setPlacing(next);
    search('');
  };
  return { q, search, isPlacing, toggle: () => change(!isPlacing), stop: () => change(false) };
});
