import { useKeys } from '../../ui/keys-provider.tsx';
import { useFullScreen } from './use-full-screen.ts';
import { useWallDevice } from './use-wall-device.ts';
import { useWallMap } from './use-wall-map.ts';
import { selection } from './wall-layers.ts';

/** The keys of the wall. */
export function useWallKeys(): void {
  const { handle: map, seen, setUrl } = useWallMap();
  const { step, toggleFollow } = useWallDevice();
  const fullScreen = useFullScreen();
  useKeys('wall', {
    j: () => step(1, seen.current),
    k: () => step(-1, seen.current),
    f: () => map.current?.fit(),
    o: toggleFollow,
    v: () => setUrl(({ byHeard }) => ({ byHeard: !byHeard })),
    m: () => map.current?.focus(),
    u: () => fullScreen?.toggle(),
    Escape: () => setUrl(({ following }) => (following ? { following: false } : selection(null))),
  });
}
