import { useEffect, useEffectEvent, useState } from 'react';
import { createListeners } from '../../data/listeners.ts';
import { tabStorage } from '../../data/tab-storage.ts';

/** A field that is null in the empty draft holds null or a text. */
type Draft = Record<string, string | number | boolean | null>;

const { read, write, moveToMemory } = tabStorage;
const prefix = 'draft:';
/** A draft has been sent: its form may be open again. */
const { subscribe, notify } = createListeners();

/** The stored fields that match the types of `empty`, because an older version of the app may have written them. */
function draftOf<T extends Draft>(text: string | null, empty: T): T {
  try {
    const stored = Object.entries(JSON.parse(text ?? '{}') as Draft);
    const fitting = stored.filter(([field, value]) => typeof value === typeof (empty[field] ?? ''));
    return { ...empty, ...Object.fromEntries(fitting) };
  } catch {
    return empty;
  }
}

const isSame = <T extends Draft>(draft: T, other: T) => Object.keys(other).every((of) => draft[of] === other[of]);

/** Changes a stored draft, and returns it. */
export function changeDraft<T extends Draft>(name: string, empty: T, change: (draft: T) => Partial<T>): T {
  const before = draftOf(read(prefix + name), empty);
  const next = { ...before, ...change(before) };
  write(prefix + name, isSame(next, empty) ? null : JSON.stringify(next));
  return next;
}

/**
 * A draft that has not been sent. It survives its dialog, its page and a reload in the same tab, until it equals
 * `empty` again. `name` contains the user, so that the next user of the browser never sees it. With another name it is
 * another draft. `noteSent` empties it after a request, unless it was changed meanwhile. `noteStored`: something else keeps what is
 * being sent, so the draft goes with this page, unless it is changed.
 */
export function usePersistedDraft<T extends Draft>(
  name: string,
  empty: T,
): [draft: T, change: (change: Partial<T>) => void, noteSent: (sent: T) => void, noteStored: (sent: T) => void] {
  const key = prefix + name;
  const [shown, setShown] = useState(() => ({ key, draft: draftOf(read(key), empty) }));
  const now = shown.key === key ? shown : { key, draft: draftOf(read(key), empty) };
  if (now !== shown) setShown(now);
  const readAgain = useEffectEvent(() => setShown({ key, draft: draftOf(read(key), empty) }));
  useEffect(() => subscribe(() => readAgain()), []);
  return [
    now.draft,
    // Written synchronously, because another page may be shown before the next render.
    (change) => setShown({ key, draft: changeDraft(name, empty, () => change) }),
    (sent) => {
      if (isSame(draftOf(read(key), empty), sent)) write(key, null);
      notify();
    },
    (sent) => {
      if (isSame(draftOf(read(key), empty), sent)) moveToMemory(key);
    },
  ];
}
