import { Component, useEffect, useState, type ReactNode } from 'react';
import { LoadError } from '../ui/pages/lazy.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useUnreachable } from '../data/unreachable.ts';
import { send } from '../data/client.ts';
import { isUnreachable } from '../data/problem.ts';
import { queryKeys } from '../data/cache/query-keys.ts';
import { t } from '../text/text.ts';
import { Button } from '../ui/buttons/button.tsx';
import { Empty } from '../ui/pages/empty.tsx';

/** A page that fails, or cannot be loaded, is replaced by a message; the rest of the app stays. */
export class CrashBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Crashed failedToLoadAt={error instanceof LoadError ? error.failedAt : null} />;
  }
}

/**
 * In the place of a page that failed, or whose code could not be loaded. Retry reloads the app, because browsers do not
 * request a failed module again, but only if the server answers. It reloads by itself when the server can be reached
 * again.
 */
function Crashed({ failedToLoadAt }: { failedToLoadAt: number | null }) {
  const loading = failedToLoadAt !== null;
  // The module was requested before. Browsers request it again only after a reload.
  const [isReopened] = useState(() => loading && performance.now() - failedToLoadAt > 2000);
  const [busy, setBusy] = useState(false);
  const away = useUnreachable() !== null;
  const [wasAway, setWasAway] = useState(false);
  if (away && !wasAway) setWasAway(true);

  const retry = async () => {
    setBusy(true);
    try {
      await reload();
    } catch (error) {
      if (!isUnreachable(error)) location.reload();
      setBusy(false);
    }
  };
  const client = useQueryClient();
  useEffect(() => {
    // Finds out whether the server can be reached.
    if (loading) void client.refetchQueries({ queryKey: queryKeys.account });
  }, [client, loading]);
  useEffect(() => {
    if (wasAway && !away) location.reload();
  }, [wasAway, away]);
  useEffect(() => {
    void import('./app-update.ts').then(({ reloadIfNewer }) => reloadIfNewer()).catch(() => undefined);
  }, []);
  useEffect(() => {
    if (isReopened) void reload().catch(() => undefined);
  }, [isReopened]);

  return (
    <div role="alert">
      <Empty
        level={1}
        icon={loading ? 'cloud-off' : 'warning'}
        title={loading ? t.shell.crash.not_loaded : t.shell.crash.title}
        text={loading ? t.shell.crash.not_loaded_text : t.shell.crash.text}
      >
        <Button busy={busy} onClick={() => void retry()}>
          {t.shell.kit.retry}
        </Button>
      </Empty>
    </div>
  );
}

/** Rejects if the server does not answer. */
async function reload(): Promise<void> {
  await send({ path: '/readyz' });
  location.reload();
}
