import { useBackCloses } from '../../ui/dialogs/back-closes.ts';
import { phone, touch, useMedia } from '../../ui/browser/media.ts';
import { useWall } from './wall-state.ts';
import { useWallUrl } from './use-wall-url.ts';

/** On a touch screen, Back closes the list and the card before it leaves the wall. */
export function useWallBack(): void {
  const onTouch = useMedia(touch);
  const [{ selected }] = useWallUrl();
  const { isOpen, toggle } = useWall('list');
  const { isOpenInSheet } = useWall('legend');
  const { close } = useWall('device');
  const isShown = useMedia(phone) ? isOpenInSheet : true;
  useBackCloses(onTouch && isOpen && isShown, toggle);
  useBackCloses(onTouch && selected !== null, close);
}
