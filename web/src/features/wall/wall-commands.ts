import { useCommands } from '../../ui/keys/keys-provider.tsx';
import { useFullScreen } from './use-full-screen.ts';
import { useWall } from './wall-state.ts';
import { selection } from './wall-layers.ts';

/** What the commands of the wall do (ui/keys/commands.ts). It renders nothing. */
export function WallCommands() {
  const { handle: map, seen, setUrl } = useWall('map');
  const { step, toggleFollow } = useWall('device');
  const list = useWall('list');
  const fullScreen = useFullScreen();
  useCommands('wall', {
    next: () => step(1, seen.current),
    previous: () => step(-1, seen.current),
    list: list.toggle,
    fit: () => map.current?.fit(),
    follow: toggleFollow,
    colour: () => setUrl(({ colour }) => ({ colour: colour === 'heard' ? null : 'heard' })),
    focus_map: () => map.current?.focus(),
    full_screen: fullScreen?.toggle,
    clear: () => setUrl(({ following }) => (following ? { following: false } : selection(null))),
  });
  return null;
}
