import { touch as touchQuery, useMedia } from '../../ui/media.ts';
import { KeyHelp } from './key-help.tsx';
import { TouchHelp } from './touch-help.tsx';

/** Keyboard shortcuts, or on touch screens gestures. */
export function Help({ onClose }: { onClose(): void }) {
  return useMedia(touchQuery) ? <TouchHelp onClose={onClose} /> : <KeyHelp onClose={onClose} />;
}
