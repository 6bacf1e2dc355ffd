import { useState } from 'react';

type Draft = Record<string, string | boolean>;

const prefix = 'draft:';
/** For what the browser keeps nothing of: its storage is off, or full. */
const memory = new Map<string, string>();

function read(key: string): string | null {
  const inMemory = memory.get(key);
  if (inMemory !== undefined) return inMemory;
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, text: string | null): void {
  memory.delete(key);
  try {
    sessionStorage.removeItem(key);
    if (text !== null) sessionStorage.setItem(key, text);
  } catch {
    if (text !== null) memory.set(key, text);
  }
}

/** Whoever signs out means to leave nothing behind. */
export function forgetDrafts(): void {
  memory.clear();
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  } catch {
    // nothing was kept
  }
}

/** Of something stored only what has the shape of `empty`: an older app may have written it. */
function draftOf<T extends Draft>(text: string | null, empty: T): T {
  try {
    const stored = Object.entries(JSON.parse(text ?? '{}') as Draft);
    const fitting = stored.filter(([field, value]) => typeof value === typeof empty[field]);
    return { ...empty, ...Object.fromEntries(fitting) };
  } catch {
    return empty;
  }
}

const isEmpty = <T extends Draft>(draft: T, empty: T) => Object.keys(empty).every((of) => draft[of] === empty[of]);

/**
 * What somebody types and has not sent: it outlives its dialog, its page and a reload in the same tab, until it is as
 * `empty` again. `name` says whose it is, so that it never shows to the next one who signs in.
 */
export function useKeptDraft<T extends Draft>(name: string, empty: T): [T, (change: Partial<T>) => void] {
  const key = prefix + name;
  const [draft, setDraft] = useState(() => draftOf(read(key), empty));
  return [
    draft,
    (change) => {
      // written at once: whoever has sent it may be on another page a moment later
      const next = { ...draftOf(read(key), empty), ...change };
      write(key, isEmpty(next, empty) ? null : JSON.stringify(next));
      setDraft(next);
    },
  ];
}
