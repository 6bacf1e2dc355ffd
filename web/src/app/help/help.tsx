import { touch as touchQuery, useMedia } from '../../ui/media.ts';
import { KeyHelp } from './key-help.tsx';
import { TouchHelp } from './touch-help.tsx';

/** What the keyboard can do, or, where there is none, what fingers can. */
export function Help({ onClose }: { onClose(): void }) {
  return useMedia(touchQuery) ? <TouchHelp onClose={onClose} /> : <KeyHelp onClose={onClose} />;
}
