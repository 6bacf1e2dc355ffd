import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useActions } from '../data/actions/shown-actions.ts';
import { unreachableQueries, useUnreachable, useOffline } from '../data/unreachable.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import { formatClock, formatNumber, formatRelative, loadFirstTexts, t } from '../text/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { lazyPart } from '../ui/lazy.tsx';
import { heightAs } from '../ui/measured-height.ts';
import { Notice } from '../ui/notice.tsx';
import { useNow } from '../ui/time.tsx';
import { useIsSettled } from '../ui/use-is-settled.ts';
import { useEventListener } from '../ui/use-event-listener.ts';
import './unreachable-notice.css';

const Outbox = lazyPart(async () => (await import('./outbox.tsx')).Outbox, undefined, undefined, true);

const SlowNotice = lazyPart(
  async () => (await import('./slow-notice.tsx')).SlowNotice,
  undefined,
  loadFirstTexts,
  true,
);

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

function Unreachable({ since }: { since: number | null }) {
  const client = useQueryClient();
  const offline = useOffline();
  const [tries, setTries] = useState(0);
  const [secondsLeft, setSecondsLeft] = useState<number>(retrySeconds[0]);
  const [trying, setTrying] = useState(false);

  const attempt = async () => {
    setTrying(true);
    await Promise.all(
      unreachableQueries(client).map((query) => client.refetchQueries({ queryKey: query.queryKey, exact: true })),
    );
    setTrying(false);
    setTries((count) => count + 1);
    setSecondsLeft(retrySeconds[Math.min(tries + 1, retrySeconds.length - 1)] ?? 30);
  };

  useEffect(() => {
    if (trying) return undefined;
    const timer = setTimeout(() => (secondsLeft > 1 ? setSecondsLeft(secondsLeft - 1) : void attempt()), 1000);
    return () => clearTimeout(timer);
  });
  useEventListener(window, 'online', () => setSecondsLeft(1));

  const [isPutAway, setPutAway] = useState(false);
  const now = useNow();
  if (isPutAway) return null;
  const { seen, next, trying: tryingNow, title, offline: offlineTitle } = t.shell.unreachable;
  return (
    <Notice
      icon="cloud-off"
      tone="warn"
      title={offline ? offlineTitle : title}
      text={
        <>
          {/* Screen readers read the time instead of what changes every few seconds. */}
          {since !== null && <span className="visually-hidden">{seen(formatClock(since))}</span>}
          <span aria-hidden="true">
            {since !== null && `${ageText(since, now)} `}
            <span className="unreachable-next">{trying ? tryingNow : next(formatNumber(secondsLeft))}</span>
          </span>
        </>
      }
    >
      <Button busy={trying} onClick={() => void attempt()}>
        {t.shell.kit.retry}
      </Button>
      <IconButton icon="close" look="quiet" label={t.shell.kit.dismiss} onClick={() => setPutAway(true)} />
    </Notice>
  );
}

const aMinute = 60_000;

/** "As of now" would say that the page is current. */
function ageText(since: number, now: number): string {
  const { age, recent } = t.shell.unreachable;
  return now - since < aMinute ? recent : age(formatRelative(new Date(since).toISOString(), now));
}
