import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { awayQueries, useAway } from '../api/away.ts';
import { formatClock, formatNumber, t } from '../text/text.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** Seconds until the next try, growing: a server that comes back is not met by everybody at once. */
const patience = [3, 6, 12, 20, 30] as const;

/** The one notice that nobody answers. It tries again by itself; what is on the screen stays usable. */
export function AwayNotice() {
  const away = useAway();
  return (
    <div ref={measured} className="shell-notices" aria-live="polite">
      {away && <Away since={away.since} />}
    </div>
  );
}

/** Tells the page how much of its top this takes: as much as its words need. */
function measured(element: HTMLElement | null) {
  if (!element) return undefined;
  const sizes = new ResizeObserver(() =>
    element.parentElement?.style.setProperty('--away', `${element.offsetHeight}px`),
  );
  sizes.observe(element);
  return () => sizes.disconnect();
}

function Away({ since }: { since: number | null }) {
  const client = useQueryClient();
  const [tries, setTries] = useState(0);
  const [left, setLeft] = useState<number>(patience[0]);
  const [trying, setTrying] = useState(false);

  const attempt = async () => {
    setTrying(true);
    await Promise.all(
      awayQueries(client).map((query) => client.refetchQueries({ queryKey: query.queryKey, exact: true })),
    );
    setTrying(false);
    setTries((count) => count + 1);
    setLeft(patience[Math.min(tries + 1, patience.length - 1)] ?? 30);
  };

  useEffect(() => {
    if (trying) return undefined;
    const timer = setTimeout(() => (left > 1 ? setLeft(left - 1) : void attempt()), 1000);
    return () => clearTimeout(timer);
  });
  useEffect(() => {
    const online = () => setLeft(1);
    addEventListener('online', online);
    return () => removeEventListener('online', online);
  }, []);

  const { seen, next, trying: tryingNow, title, retry } = t.shell.away;
  return (
    <Notice
      icon="cloud-off"
      tone="warn"
      title={title}
      text={
        <>
          {since !== null && `${seen(formatClock(since))} `}
          {/* counted in sight only: read aloud every second it would drown everything else */}
          <span aria-hidden="true">{trying ? tryingNow : next(formatNumber(left))}</span>
        </>
      }
    >
      <Button busy={trying} onClick={() => void attempt()}>
        {retry}
      </Button>
    </Notice>
  );
}
