import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { minuteMs } from '@swarmdeck/bff/durations';
import { removeEnded } from '../data/cache/ended-members.ts';
import { loadFromNetwork } from '../data/network-page.ts';
import { serverTime } from '../data/server-clock.ts';
import { useOffline } from '../data/unreachable.ts';
import { formatClock, formatNumber, formatRelative, t } from '../text/text.ts';
import { Button, IconButton } from '../ui/buttons/button.tsx';
import { Notice } from '../ui/toasts/notice.tsx';
import { useNow } from '../ui/texts/time.tsx';
import './notices.css';

interface UnreachableProps {
  /** In ms of the local clock. */
  since: number | null;
  /** A page was answered instead of the server's response. */
  isPortal?: boolean;
  /** Until the next attempt; null while one is under way. */
  secondsLeft: number | null;
  onRetry(): void;
}

/** Says since when the server cannot be reached, and when the next attempt is. Meanwhile, members of swarms end without it. */
export function Unreachable({ since: readAt, isPortal = false, secondsLeft, onRetry }: UnreachableProps) {
  const offline = useOffline();
  const [isPutAway, setPutAway] = useState(false);
  const now = useNow();
  const since = readAt === null ? null : serverTime(readAt);
  const client = useQueryClient();
  useEffect(() => removeEnded(client, now), [client, now]);
  if (isPutAway) return null;
  const { seen, next, trying, title, offline: offlineTitle, portal, sign_in } = t.shell.unreachable;
  return (
    <Notice
      icon="cloud-off"
      tone="warn"
      title={offline ? offlineTitle : title}
      text={
        <>
          {isPortal && !offline && `${portal} `}
          {/* Screen readers read the time instead of what changes every few seconds. */}
          {since !== null && <span className="visually-hidden">{seen(formatClock(since))}</span>}
          <span aria-hidden="true">
            {since !== null && `${ageText(since, now)} `}
            <span className="unreachable-next">{secondsLeft === null ? trying : next(formatNumber(secondsLeft))}</span>
          </span>
        </>
      }
    >
      {isPortal && !offline && (
        <Button look="accent" onClick={loadFromNetwork}>
          {sign_in}
        </Button>
      )}
      <Button busy={secondsLeft === null} onClick={onRetry}>
        {t.shell.kit.retry}
      </Button>
      <IconButton icon="close" look="quiet" label={t.shell.kit.dismiss} onClick={() => setPutAway(true)} />
    </Notice>
  );
}

/** "As of now" would say that the page is current. Both times are those of the server's clock. */
function ageText(since: number, now: number): string {
  const { age, recent } = t.shell.unreachable;
  return now - since < minuteMs ? recent : age(formatRelative(new Date(since).toISOString(), now));
}
