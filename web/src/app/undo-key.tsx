import { useState } from 'react';
import { useCommands } from '../ui/keys/keys-provider.tsx';
import { lazyPart } from '../ui/pages/lazy.tsx';

const UndoLast = lazyPart(async () => (await import('./undo-last.tsx')).UndoLast);

/** Z undoes the last pending action, or else the newest one that can be undone. */
export function UndoKey() {
  const [isAsked, setAsked] = useState(false);
  useCommands('undo', { undo_last: () => setAsked(true) });
  return isAsked && <UndoLast onClose={() => setAsked(false)} />;
}
