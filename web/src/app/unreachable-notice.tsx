import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useActions } from '../data/actions/shown-actions.ts';
import { useUnreachable } from '../data/unreachable.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import { loadFirstTexts } from '../text/text.ts';
import { lazyPart } from '../ui/lazy.tsx';
import { heightAs } from '../ui/measured-height.ts';
import { useIsSettled } from '../ui/use-is-settled.ts';
import { useEventListener } from '../ui/use-event-listener.ts';
import './unreachable-notice.css';

const Outbox = lazyPart(async () => (await import('./outbox.tsx')).Outbox, undefined, undefined, true);

const SlowNotice = lazyPart(async () => (await import('./slow-notice.tsx')).SlowNotice, undefined, undefined, true);

/** It is in the file that loads once the page is there (chunks.ts), so it opens without a network. */
const Unreachable = lazyPart(
  async () => (await import('./unreachable.tsx')).Unreachable,
  undefined,
  loadFirstTexts,
  true,
);

/** In ms: a page that is there by then needs no notice. */
const slowAfter = 4000;

/** The notices about the network. The page stays usable. */
export function UnreachableNotice() {
  const client = useQueryClient();
  const away = useUnreachable();
  const isSettled = useIsSettled();
  const hasActions = useActions().length > 0;
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), slowAfter);
    return () => clearTimeout(timer);
  }, []);
  // A request finds out whether the server can be reached: without a network, a local one can.
  useEventListener(window, 'offline', () => void client.refetchQueries({ queryKey: queryKeys.account }));
  return (
    <div ref={measured} className="shell-notices" aria-live="polite" data-settled={isSettled || undefined}>
      {/* What does not reach the server waits for it. */}
      {(isSettled || hasActions) && <Outbox />}
      {away ? <Unreachable since={away.since} /> : isLate && <SlowNotice />}
    </div>
  );
}

const measured = heightAs('--notice-height');
