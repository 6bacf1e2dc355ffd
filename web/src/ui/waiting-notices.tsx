import { useEffect, useSyncExternalStore } from 'react';
import type { FocusEvent } from 'react';
import { Button } from './button.tsx';
import { KeyHint } from './key-hint.tsx';
import { useKeys, useKeysEnabled } from './keys-provider.tsx';
import { Notice } from './notice.tsx';
import type { WaitingNoticesProps } from './waiting-provider.tsx';
import './waiting.css';

/** Everything that waits, each with its Undo, the last one by Z. */
export function WaitingNotices({ waiting, words }: WaitingNoticesProps) {
  useEffect(() => waiting.watch({ window, document }), [waiting]);
  const items = useSyncExternalStore(waiting.subscribe, waiting.items);
  const keys = useKeysEnabled();
  useKeys('waiting', {
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
              (item.progress ?? words.sending)
            )}
          </Notice>
        </div>
      ))}
    </section>
  );
}
