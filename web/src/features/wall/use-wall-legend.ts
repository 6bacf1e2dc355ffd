import { useState } from 'react';
import { low } from '../../ui/media.ts';
import { shareHook } from '../../ui/share-hook.tsx';

/** Whether the legend is open: in the sheet of a phone, and in the panel of a low screen. */
export const [WallLegendProvider, useWallLegend] = shareHook(function useWallLegendState() {
  const [isOpenInSheet, setOpenInSheet] = useState(() => !matchMedia(low).matches);
  const [isOpenInPanel, setOpenInPanel] = useState(false);
  return { isOpenInSheet, setOpenInSheet, isOpenInPanel, setOpenInPanel };
});
