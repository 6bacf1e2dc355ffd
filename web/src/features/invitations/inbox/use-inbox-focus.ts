import { useRef } from 'react';
import type { VirtualListHandle } from '../../../ui/lists/list-sections.ts';
import { useStableFunctions } from '../../../ui/browser/stable-functions.ts';

/** The parts of the inbox that keys move the focus to. */
export function useInboxFocus() {
  const list = useRef<VirtualListHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const pane = useRef<HTMLElement>(null);
  const map = useRef<HTMLElement>(null);
  return {
    list,
    search,
    pane,
    map,
    ...useStableFunctions({
      focusPane: () => pane.current?.querySelector<HTMLElement>('h2')?.focus(),
      focusMap: () => map.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
    }),
  };
}

export type InboxFocus = ReturnType<typeof useInboxFocus>;
