import { useRef } from 'react';
import { shareHook } from '../../../ui/share-hook.tsx';
import type { VirtualListHandle } from '../../../ui/list-sections.ts';

/** The parts of the inbox that keys move the focus to. */
export const [InboxFocusProvider, useInboxFocus] = shareHook(function useInboxFocusState() {
  const list = useRef<VirtualListHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const pane = useRef<HTMLElement>(null);
  const map = useRef<HTMLElement>(null);
  return {
    list,
    search,
    pane,
    map,
    focusPane: () => pane.current?.querySelector<HTMLElement>('h2')?.focus(),
    focusMap: () => map.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
  };
});
