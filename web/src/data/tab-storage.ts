import { onNewPage } from './new-page.ts';

/** Used if the browser's storage is off or full. */
const memory = new Map<string, string>();
onNewPage(() => memory.clear());

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

/**
 * What this tab stores, also when it is loaded again, until another user signs in (shared/account/session-tabs.ts). Keys contain the
 * user, so that the next user of the browser never sees it.
 */
export const tabStorage = {
  read,
  /** Null removes it. */
  write,
  /** From now on, it goes with this page. */
  moveToMemory(key: string): void {
    const text = read(key);
    write(key, null);
    if (text !== null) memory.set(key, text);
  },
};
