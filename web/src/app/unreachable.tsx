import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { unreachableQueries, useOffline } from '../data/unreachable.ts';
import { formatClock, formatNumber, formatRelative, t } from '../text/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useNow } from '../ui/time.tsx';
import { useEventListener } from '../ui/use-event-listener.ts';
import './notices.css';

/** Seconds until the next attempt. They grow, so that not all clients reconnect at once. */
const retrySeconds = [3, 6, 12, 20, 30] as const;

/** Says since when the server cannot be reached, and retries. */
export function Unreachable({ since }: { since: number | null }) {
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
