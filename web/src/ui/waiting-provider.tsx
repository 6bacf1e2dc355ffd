import { createContext, use, useEffect, useState, useSyncExternalStore } from 'react';
import type { FocusEvent, ReactNode } from 'react';
import { Button } from './button.tsx';
import { KeyHint } from './key-hint.tsx';
import { useKeys, useKeysEnabled } from './keys-provider.tsx';
import { Notice } from './notice.tsx';
import './waiting.css';
import type { Waiting, WaitingItem } from './waiting.ts';
import { createWaiting } from './waiting.ts';

const Context = createContext<Waiting | null>(null);

export interface WaitingWords {
  /** Name of the region. */
  region: string;
  undo_in(seconds: string): string;
  sending: string;
}

/** Holds what waits to be sent and shows it, with Undo, over every page. */
export function WaitingProvider({ words, children }: { words: WaitingWords; children: ReactNode }) {
  const [waiting] = useState(createWaiting);
  useEffect(() => waiting.watch({ window, document }), [waiting]);
  return (
    <Context value={waiting}>
      {children}
      <WaitingNotices waiting={waiting} words={words} />
    </Context>
  );
}

export function useWaiting(): Waiting {
  const waiting = use(Context);
  if (!waiting) throw new Error('WaitingProvider is missing');
  return waiting;
}

/** What waits under this key, for the row that shows it too; its seconds are not followed here. */
export function useWaitingItem(key: string): WaitingItem['state'] | undefined {
  const waiting = useWaiting();
  return useSyncExternalStore(waiting.subscribe, () => waiting.items().find((item) => item.key === key)?.state);
}

function WaitingNotices({ waiting, words }: { waiting: Waiting; words: WaitingWords }) {
  const items = useSyncExternalStore(waiting.subscribe, waiting.items);
  const keys = useKeysEnabled();
  useKeys({
    z: () => {
      const last = items.findLast((item) => item.state === 'waiting');
      if (last) waiting.undo(last.key);
    },
  });
  const holding = {
    onPointerEnter: () => waiting.hold(true),
    onPointerLeave: () => waiting.hold(false),
    onFocus: () => waiting.hold(true),
    onBlur: (event: FocusEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget)) waiting.hold(false);
    },
  };
  // an undone notice takes its focus and its pointer with it and says nothing
  const none = items.length === 0;
  useEffect(() => {
    if (none) waiting.hold(false);
  }, [none, waiting]);
  return (
    <section className="waiting" aria-label={words.region} {...holding}>
      <output className="visually-hidden">{items.at(-1)?.label}</output>
      {items.map((item) => (
        <div key={item.key} data-key={item.key}>
          <Notice title={item.label}>
            {item.state === 'waiting' ? (
              <Button size="small" look="accent" onClick={() => waiting.undo(item.key)}>
                <span className="numbers">{words.undo_in(String(item.seconds))}</span>
                {keys && item === items.at(-1) && <KeyHint keys="Z" />}
              </Button>
            ) : (
              words.sending
            )}
          </Notice>
        </div>
      ))}
    </section>
  );
}
