import type { QueryClient } from '@tanstack/react-query';
import { loading } from '../ui/pages/lazy.tsx';

/** In ms. Longer than from the answer of one request to the next request of the same page. */
const quietFor = 100;

/**
 * Keeps `data-ready` on the document while the page shows its data: no request is under way, and no code is loading.
 * Tests and tools wait for it. Returns a function that stops it.
 */
export function markWhenReady(client: QueryClient): () => void {
  const root = document.documentElement;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    if (client.isFetching() + client.isMutating() === 0 && loading.parts === 0) {
      quiet ??= setTimeout(() => root.toggleAttribute('data-ready', true), quietFor);
      return;
    }
    clearTimeout(quiet);
    quiet = undefined;
    root.toggleAttribute('data-ready', false);
  };
  check();
  loading.changed = check;
  const stops = [client.getQueryCache().subscribe(check), client.getMutationCache().subscribe(check)];
  return () => {
    loading.changed = () => {};
    for (const stop of stops) stop();
    clearTimeout(quiet);
    root.toggleAttribute('data-ready', false);
  };
}
