import { useEffect, useEffectEvent, useRef } from 'react';
import { readUrl, type UrlCodec } from '../urls/url-state.ts';

interface Selecting {
  filters: object;
  selected: string | null;
}

interface HiddenSelectionOptions<State extends Selecting> {
  codec: UrlCodec<State>;
  url: Selecting;
  /** The list still shows the items of the previous filters. */
  isLoading: boolean;
  isListed(id: string): Promise<boolean>;
  deselect(): void;
}

/** Ends the selection of an item that other filters hide. If it cannot be asked whether they do, it stays selected. */
export function useHiddenSelection<State extends Selecting>({
  codec,
  url,
  isLoading,
  isListed,
  deselect,
}: HiddenSelectionOptions<State>): void {
  const filtered = JSON.stringify(url.filters);
  const before = useRef(filtered);
  const deselectHidden = useEffectEvent(async () => {
    const { selected: id } = url;
    if (id === null || (await isListed(id))) return;
    const now = readUrl(codec);
    if (now.selected === id && JSON.stringify(now.filters) === filtered) deselect();
  });
  useEffect(() => {
    if (before.current === filtered || isLoading) return;
    before.current = filtered;
    deselectHidden().catch(() => undefined);
  }, [filtered, isLoading]);
}
