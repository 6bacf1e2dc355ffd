import { QueryClientProvider, useQuery, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useActions, useShownActions } from '../data/actions/shown-actions.ts';
import { accountQuery } from '../shared/account/account.api.ts';
import { undoTime } from '../ui/undo-time-preference.ts';
import { KeysProvider } from '../ui/keys-provider.tsx';
import { usePreference } from '../ui/preference.ts';
import { lazyPart } from '../ui/lazy.tsx';
import { HistoryRouter } from '../ui/router.tsx';
import { NowProvider } from '../ui/time.tsx';
import { ToastProvider } from '../ui/toast.tsx';
import { useIsSettled } from '../ui/use-is-settled.ts';
import { AppRoutes } from './routes.tsx';
import { UndoKey } from './undo-key.tsx';

const UndoToasts = lazyPart(async () => (await import('./undo-toasts.tsx')).UndoToasts, { isBackground: true });

export function App({ client }: { client: QueryClient }) {
  return (
    <QueryClientProvider client={client}>
      <NowProvider>
        <KeysProvider>
          <ToastProvider>
            <HistoryRouter>
              <AppRoutes />
              <Actions />
            </HistoryRouter>
          </ToastProvider>
        </KeysProvider>
      </NowProvider>
    </QueryClientProvider>
  );
}

/** The toasts of actions load after the first page of a user, or with the first action. */
function Actions() {
  const { setUndoSeconds } = useShownActions();
  const seconds = usePreference(undoTime);
  useEffect(() => setUndoSeconds(Number(seconds)), [setUndoSeconds, seconds]);
  const hasActions = useActions().length > 0;
  const isSettled = useIsSettled();
  // The pages of guests request no account.
  const isSignedIn = useQuery({ ...accountQuery, enabled: false }).data !== undefined;
  return (
    <>
      <UndoKey />
      {((isSettled && isSignedIn) || hasActions) && <UndoToasts />}
    </>
  );
}
