import { useEffect, useState } from 'react';
import { useAway } from '../api/away.ts';
import { send } from '../api/client.ts';
import { isAway } from '../api/problem.ts';
import { t } from '../text/text.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';

/**
 * Retry loads everything anew, because a browser keeps files that did not arrive as failed; and only once somebody
 * answers, because a page that is gone cannot try again. When the service comes back it does so by itself.
 */
export function Crashed() {
  const [busy, setBusy] = useState(false);
  const away = useAway() !== null;
  const [wasAway, setWasAway] = useState(false);
  if (away && !wasAway) setWasAway(true);

  const retry = async () => {
    setBusy(true);
    try {
      await send({ path: '/readyz' });
      location.reload();
    } catch (error) {
      if (!isAway(error)) location.reload();
      setBusy(false);
    }
  };
  useEffect(() => {
    if (wasAway && !away) location.reload();
  }, [wasAway, away]);

  return (
    <div role="alert">
      <Empty level={1} icon="warning" title={t.shell.crash.title} text={t.shell.crash.text}>
        <Button busy={busy} onClick={() => void retry()}>
          {t.shell.crash.retry}
        </Button>
      </Empty>
    </div>
  );
}
