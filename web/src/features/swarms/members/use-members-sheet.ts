import { useState } from 'react';
import type { Stop } from '../../../ui/sheet/sheet-stops.ts';

/** The sheet of a phone. It keeps its stop while a desk, which has none, is shown: a turned phone may be one. */
export function useMembersSheet() {
  const [stop, setStop] = useState<Stop>('half');
  const [height, setHeight] = useState(0);
  return {
    stop,
    setStop,
    /** How much of the map it covers, in px. */
    height,
    setHeight,
  };
}
