import { createListeners } from '../../../data/listeners.ts';

const RETRY_AFTER = 10_000;

/** Files that are loaded when they are first needed, each once. */
export function createFileSource<Name, File>(load: (name: Name) => Promise<File>) {
  const files = new Map<Name, File>();
  const requested = new Set<Name>();
  const failed = new Set<Name>();
  const { subscribe, notify } = createListeners();
  return {
    /** The loaded files. */
    files: files as ReadonlyMap<Name, File>,
    /** Those that could not be loaded. */
    failed: failed as ReadonlySet<Name>,
    request(name: Name): void {
      if (requested.has(name)) return;
      requested.add(name);
      load(name).then(
        (file) => {
          files.set(name, file);
          failed.delete(name);
          notify();
        },
        () => {
          // A later request retries.
          setTimeout(() => requested.delete(name), RETRY_AFTER);
          failed.add(name);
          notify();
        },
      );
    },
    notify,
    /** The listener is called when a file is loaded, or could not be. */
    subscribe,
  };
}
