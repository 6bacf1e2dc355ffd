import { useEffect, useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import { KeyHint } from './key-hint.tsx';
import { useKeys, useKeysEnabled } from './keys-provider.tsx';
import { Notice } from './notice.tsx';
import { useHoverOrFocus } from './use-hover-or-focus.ts';
import type { WaitingNoticesProps } from './waiting-provider.tsx';
import type { WaitingItem } from './waiting.ts';
import './waiting.css';

/** The pending actions, each with an Undo button. Z undoes the last one. */
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
  return (
    <section className="waiting" aria-label={words.region}>
      <output className="visually-hidden">{items.at(-1)?.label}</output>
      {items.map((item) => (
        <WaitingNotice
          key={item.key}
          waiting={waiting}
          words={words}
          item={item}
          keyHint={keys && item === items.at(-1)}
        />
      ))}
    </section>
  );
}

function WaitingNotice({
  waiting,
  words,
  item: { key, label, state, seconds, progress },
  keyHint,
}: WaitingNoticesProps & { item: WaitingItem; keyHint: boolean }) {
  const { active, handlers } = useHoverOrFocus();
  useEffect(() => (active ? waiting.pause(key) : undefined), [active, waiting, key]);
  return (
    <div data-key={key} {...handlers}>
      <Notice title={label}>
        {state === 'waiting' ? (
          <Button size="small" look="accent" onClick={() => waiting.undo(key)}>
            <span className="numbers">{words.undo_in(String(seconds))}</span>
            {keyHint && <KeyHint keys="Z" />}
          </Button>
        ) : (
          (progress ?? words.sending)
        )}
      </Notice>
    </div>
  );
}
