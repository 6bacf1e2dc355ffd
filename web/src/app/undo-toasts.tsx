import { useEffect, useState, useSyncExternalStore } from 'react';
import { usePendingActions } from '../api/pending-actions.ts';
import type { PendingActions, PendingItem } from '../api/pending-actions.ts';
import { t } from '../text/text.ts';
import { Button } from '../ui/button.tsx';
import { KeyHint, useKeys, useKeysEnabled } from '../ui/keys-provider.tsx';
import { Rich } from '../ui/rich.tsx';
import { Notice } from '../ui/notice.tsx';
import { useHoverOrFocus } from '../ui/toast.tsx';
import { useFocusReturn } from '../ui/use-focus-after-removal.ts';
import './undo-toasts.css';

// Registers the kinds of actions.
import.meta.glob('../features/**/*.action.tsx', { eager: true });

/** The pending actions, each with an Undo button. Z undoes the last one. */
export function UndoToasts() {
  const pending = usePendingActions();
  const items = useSyncExternalStore(pending.subscribe, pending.items);
  const keys = useKeysEnabled();
  useKeys('undo', {
    z: () => {
      const last = items.findLast(({ phase }) => phase === 'pending');
      if (last) pending.undo(last.key);
    },
  });
  const focusReturn = useFocusReturn();
  return (
    <>
      <output className="visually-hidden">
        <News pending={pending} keys={keys} />
      </output>
      <section className="undo-toasts" aria-label={t.devices.pending.region} {...focusReturn}>
        {items.map((item) => (
          <UndoToast key={item.key} pending={pending} item={item} keyHint={keys && item === items.at(-1)} />
        ))}
      </section>
    </>
  );
}

/** In ms. Later, the announcement would be found beside a page that it does not belong to. */
const newsLast = 9000;

/** Announces what was started and how long it can be undone, what was undone, and what was done. */
function News({ pending, keys }: { pending: PendingActions; keys: boolean }) {
  const news = useSyncExternalStore(pending.subscribe, pending.news);
  const [old, setOld] = useState<typeof news>(null);
  useEffect(() => {
    const timer = setTimeout(() => setOld(news), newsLast);
    return () => clearTimeout(timer);
  }, [news]);
  if (!news || news === old) return null;
  const { kind, label, seconds } = news;
  const { undo_within, undo_within_keys, undone } = t.devices.pending;
  if (kind === 'done') return label;
  if (kind === 'undone') return <Rich text={undone} what={label} />;
  return (
    <>
      {label}. {(keys ? undo_within_keys : undo_within)(String(seconds))}
    </>
  );
}

function UndoToast({
  pending,
  item: { key, label, phase, seconds, progress },
  keyHint,
}: {
  pending: PendingActions;
  item: PendingItem;
  keyHint: boolean;
}) {
  const { active, handlers } = useHoverOrFocus();
  useEffect(() => (active ? pending.pause(key) : undefined), [active, pending, key]);
  return (
    <div data-key={key} {...handlers}>
      <Notice title={label}>
        {phase === 'pending' ? (
          <Button size="small" look="accent" onClick={() => pending.undo(key)}>
            <span className="numbers">{t.devices.pending.undo_in(String(seconds))}</span>
            {keyHint && <KeyHint keys="Z" />}
          </Button>
        ) : (
          (progress ?? t.devices.pending.sending)
        )}
      </Notice>
    </div>
  );
}
