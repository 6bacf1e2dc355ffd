import { textCodec, useUrlState } from '../../../ui/url-state.ts';

const dotsUrl = textCodec('dots');

/** Whether every device is shown as a dot: `dots=1` in the URL. */
export function useDotsMode(): [boolean, (isDotsMode: boolean) => void] {
  const [{ dots }, setUrl] = useUrlState(dotsUrl);
  return [dots === '1', (isDotsMode) => setUrl({ dots: isDotsMode ? '1' : '' })];
}
