import { useState } from 'react';
import { low } from '../../ui/media.ts';
import { shareHook } from '../../ui/share-hook.tsx';
import { useWallList } from './use-wall-list.ts';

/** The legend would cover half of the map. */
const lowForLegend = '(max-height: 46.8125em)';

/** Whether the legend is open: in the sheet of a phone, and in the panel of a low screen. The list is in the same sheet, and opens it. */
export const [WallLegendProvider, useWallLegend] = shareHook(function useWallLegendState() {
  const { isOpen: withList } = useWallList();
  const [isOpenInSheet, setOpenInSheet] = useState(() => !matchMedia(withList ? low : lowForLegend).matches);
  const [isOpenInPanel, setOpenInPanel] = useState(false);
  const [hadList, setHadList] = useState(withList);
  if (withList !== hadList) {
    setHadList(withList);
    if (withList) setOpenInSheet(true);
  }
  return { isOpenInSheet, setOpenInSheet, isOpenInPanel, setOpenInPanel };
});
