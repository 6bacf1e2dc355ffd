import { IconButton } from './button.tsx';
import { useUi } from './environment.tsx';
import './jump-button.css';
import { useKeyboard } from './keys-provider.tsx';

/** Opens the palette, at the end of a page's head on a phone. On larger screens it is in the rail. */
export function JumpButton() {
  const { words } = useUi();
  const keyboard = useKeyboard();
  return (
    <div className="jump-button">
      <IconButton icon="search" look="quiet" label={words.jump} onClick={() => keyboard.press('mod k')} />
    </div>
  );
}
