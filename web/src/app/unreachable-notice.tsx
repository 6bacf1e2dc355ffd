import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useActions } from '../data/actions/shown-actions.ts';
import { onNewPage } from '../data/new-page.ts';
import { unreachableQueries, useUnreachable } from '../data/unreachable.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import { isOtherPage } from '../data/problem.ts';
import { lazyPart } from '../ui/pages/lazy.tsx';
import { bothRefs, pageHeightAs, readsHeights } from '../ui/browser/measured-height.ts';
import { useIsSettled } from '../ui/pages/use-is-settled.ts';
import { useEventListener } from '../ui/browser/use-event-listener.ts';

const outbox = () => import('./outbox.tsx');
const Outbox = lazyPart(async () => (await outbox()).Outbox, { isBackground: true });
/** Whether something has waited since an earlier page. */
let hasWaiting = false;
onNewPage(() => {
  hasWaiting = false;
});

/** Reads what waits of this user, to be shown with the first view: nobody must answer again what has an answer that waits. */
export async function openOutbox(user_id: string | undefined): Promise<void> {
  if (user_id === undefined) return;
  hasWaiting = true;
  await Promise.all([Outbox.preload(), outbox().then(({ readOutbox }) => readOutbox(user_id))]);
}

/** If it cannot be loaded, the toast of `lazyPart` says so, also without a network. */
const Unreachable = lazyPart(async () => (await import('./unreachable.tsx')).Unreachable);
const SlowNotice = lazyPart(async () => (await import('./slow-notice.tsx')).SlowNotice, {
  isBackground: true,
});

/** In ms: a page that is there by then needs no notice. */
const slowAfter = 4000;
/** Seconds until the next attempt. They grow, so that not all clients reconnect at once. */
const retrySeconds = [3, 6, 12, 20, 30] as const;

/** Shows that the server cannot be reached, and retries. The page stays usable. */
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
  useEffect(() => {
    // Later, its code may not be reached either.
    if (isSettled) void Unreachable.preload();
  }, [isSettled]);
  // A request finds out whether the server can be reached: without a network, a local one can.
  useEventListener(window, 'offline', () => void client.refetchQueries({ queryKey: queryKeys.account }));
  return (
    <div ref={noticesRef} className="shell-notices" aria-live="polite" data-settled={isSettled || undefined}>
      {/* What does not reach the server waits for it. Without answers, a page takes long to settle. */}
      {(isSettled || hasActions || hasWaiting || isLate) && <Outbox />}
      {away ? <Retries since={away.since} /> : isLate && <SlowNotice />}
    </div>
  );
}

const noticesRef = bothRefs(pageHeightAs('--notice-height'), readsHeights);

/** Retries, also if the code of the notice cannot be loaded: the server that has it may be the one that cannot be reached. */
function Retries({ since }: { since: number | null }) {
  const client = useQueryClient();
  const [tries, setTries] = useState(0);
  const [secondsLeft, setSecondsLeft] = useState<number>(retrySeconds[0]);
  const [isTrying, setTrying] = useState(false);

  const retry = async () => {
    setTrying(true);
    await Promise.all(
      unreachableQueries(client).map((query) => client.refetchQueries({ queryKey: query.queryKey, exact: true })),
    );
    setTrying(false);
    setTries(tries + 1);
    setSecondsLeft(retrySeconds[tries + 1] ?? 30);
  };

  useEffect(() => {
    if (isTrying) return undefined;
    const timer = setTimeout(() => (secondsLeft > 1 ? setSecondsLeft(secondsLeft - 1) : void retry()), 1000);
    return () => clearTimeout(timer);
  });
  useEventListener(window, 'online', () => setSecondsLeft(1));
  const isPortal = unreachableQueries(client).some(({ state }) => isOtherPage(state.error));
  return (
    <Unreachable
      since={since}
      isPortal={isPortal}
      secondsLeft={isTrying ? null : secondsLeft}
      onRetry={() => void retry()}
    />
  );
}
