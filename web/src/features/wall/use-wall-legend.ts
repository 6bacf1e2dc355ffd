import { useState } from 'react';
import { low } from '../../ui/media.ts';
import { shareHook } from '../../ui/share-hook.tsx';
import { useWallList } from './use-wall-list.ts';

/**
 * Whether the legend is open: in the sheet of a phone, of which it would cover almost half, and in the panel of a low screen. The list
 * is in the same sheet, and opens it.
 */
export const [WallLegendProvider, useWallLegend] = shareHook(function useWallLegendState() {
  const { isOpen: withList } = useWallList();
  const [isOpenInSheet, setOpenInSheet] = useState(() => withList && !matchMedia(low).matches);
  const [isOpenInPanel, setOpenInPanel] = useState(false);
  const [hadList, setHadList] = useState(withList);
  if (withList !== hadList) {
    setHadList(withList);
    if (withList) setOpenInSheet(true);
  }
  return { isOpenInSheet, setOpenInSheet, isOpenInPanel, setOpenInPanel };
});
