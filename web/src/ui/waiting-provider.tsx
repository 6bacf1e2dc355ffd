import { createContext, use, useState, useSyncExternalStore } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { Waiting, WaitingItem } from './waiting.ts';

interface WaitingWords {
  /** Name of the region. */
  region: string;
  undo_in(seconds: string): string;
  sending: string;
}

export interface WaitingNoticesProps {
  waiting: Waiting;
  words: WaitingWords;
}

interface Held {
  waiting: Waiting;
  Notices: ComponentType<WaitingNoticesProps>;
}

/**
 * Where what waits is held. Nothing is, until a page or dialog comes that can make something wait: that brings the
 * engine and its notices along (use-waiting.ts).
 */
interface WaitingPlace {
  held(): Held | null;
  /** What is held; made, where nothing is. */
  hold(make: () => Held): Held;
  /** Tells those who have subscribed. */
  changed(): void;
  subscribe(listener: () => void): () => void;
}

function createPlace(): WaitingPlace {
  const listeners = new Set<() => void>();
  let held: Held | null = null;
  function changed() {
    for (const listener of listeners) listener();
  }
  return {
    held: () => held,
    hold(make) {
      if (held) return held;
      held = make();
      held.waiting.subscribe(changed);
      return held;
    },
    changed,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const Context = createContext<WaitingPlace | null>(null);

/** Holds what waits to be sent and shows it, with Undo, over every page. */
export function WaitingProvider({ words, children }: { words: WaitingWords; children: ReactNode }) {
  const [place] = useState(createPlace);
  const held = useSyncExternalStore(place.subscribe, place.held);
  return (
    <Context value={place}>
      {children}
      {held && <held.Notices waiting={held.waiting} words={words} />}
    </Context>
  );
}

export function useWaitingPlace(): WaitingPlace {
  const place = use(Context);
  if (!place) throw new Error('WaitingProvider is missing');
  return place;
}

/** What waits under this key, for the row that shows it too; its seconds are not followed here. */
export function useWaitingItem(key: string): WaitingItem['state'] | undefined {
  const place = useWaitingPlace();
  return useSyncExternalStore(
    place.subscribe,
    () =>
      place
        .held()
        ?.waiting.items()
        .find((item) => item.key === key)?.state,
  );
}
