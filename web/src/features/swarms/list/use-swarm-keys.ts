import { useRef } from 'react';
import { useKeys } from '../../../ui/keys-provider.tsx';

/** The keys of a list of swarms: they move the focus to the search, and from name to name. */
export function useSwarmKeys() {
  const page = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const step = (by: 1 | -1) => {
    const names = [...(page.current?.querySelectorAll<HTMLElement>('.row-link') ?? [])];
    const at = names.indexOf(document.activeElement as HTMLElement);
    (at < 0 ? names.at(0) : (names[at + by] ?? names[at]))?.focus();
  };
  useKeys('swarms', { '/': () => search.current?.focus(), j: () => step(1), k: () => step(-1) });
  return { page, search };
}
