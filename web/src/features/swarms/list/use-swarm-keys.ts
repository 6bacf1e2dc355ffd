import { useRef } from 'react';
import { useCommands } from '../../../ui/keys/keys-provider.tsx';

/** The keys of a list of swarms: they move the focus to the search, and from name to name. */
export function useSwarmKeys() {
  const page = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const step = (by: 1 | -1) => {
    const names = [...(page.current?.querySelectorAll<HTMLElement>('.row-link') ?? [])];
    const at = names.indexOf(document.activeElement as HTMLElement);
    (at < 0 ? names.at(0) : (names[at + by] ?? names[at]))?.focus();
  };
  useCommands('swarms', {
    search: () => search.current?.focus(),
    next: () => step(1),
    previous: () => step(-1),
  });
  return { page, search };
}
