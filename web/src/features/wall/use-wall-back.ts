import { useBackCloses } from '../../ui/back-closes.ts';
import { phone, touch, useMedia } from '../../ui/media.ts';
import { useWallDevice } from './use-wall-device.ts';
import { useWallLegend } from './use-wall-legend.ts';
import { useWallList } from './use-wall-list.ts';
import { useWallUrl } from './use-wall-map.ts';

/** On a touch screen, Back closes the list and the card before it leaves the wall. */
export function useWallBack(): void {
  const onTouch = useMedia(touch);
  const [{ selected }] = useWallUrl();
  const { isOpen, toggle } = useWallList();
  const { isOpenInSheet } = useWallLegend();
  const { close } = useWallDevice();
  const isShown = useMedia(phone) ? isOpenInSheet : true;
  useBackCloses(onTouch && isOpen && isShown, toggle);
  useBackCloses(onTouch && selected !== null, close);
}
