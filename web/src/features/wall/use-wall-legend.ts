import { useState } from 'react';
import { low } from '../../ui/browser/media.ts';
import type { WallList } from './use-wall-list.ts';

/**
 * Whether the legend is open: in the sheet of a phone, of which it would cover almost half, and in the panel of a low screen. The list
 * is in the same sheet, and opens it.
 */
export function useWallLegend({ isOpen: withList }: Pick<WallList, 'isOpen'>) {
  const [isOpenInSheet, setOpenInSheet] = useState(() => withList && !matchMedia(low).matches);
  const [isOpenInPanel, setOpenInPanel] = useState(false);
  const [hadList, setHadList] = useState(withList);
  if (withList !== hadList) {
    setHadList(withList);
    if (withList) setOpenInSheet(true);
  }
  return { isOpenInSheet, setOpenInSheet, isOpenInPanel, setOpenInPanel };
}
