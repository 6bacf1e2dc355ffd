import { useBackCloses } from '../../ui/back-closes.ts';
import { touch, useMedia } from '../../ui/media.ts';
import { useWallDevice } from './use-wall-device.ts';
import { useWallList } from './use-wall-list.ts';
import { useWallUrl } from './use-wall-map.ts';

/** On a touch screen, Back closes the list and the card before it leaves the wall. */
export function useWallBack(): void {
  const onTouch = useMedia(touch);
  const [{ selected }] = useWallUrl();
  const { isOpen, toggle } = useWallList();
  const { close } = useWallDevice();
  useBackCloses(onTouch && isOpen, toggle);
  useBackCloses(onTouch && selected !== null, close);
}
