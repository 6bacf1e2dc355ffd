import { QueryClientProvider, useQuery, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useActions, useShownActions } from '../data/actions/shown-actions.ts';
import { accountQuery } from '../shared/account/account.api.ts';
import { undoTime } from '../ui/fields/undo-time-preference.ts';
import { KeysProvider } from '../ui/keys/keys-provider.tsx';
import { usePreference } from '../ui/browser/preference.ts';
import { lazyPart } from '../ui/pages/lazy.tsx';
import { HistoryRouter } from '../ui/urls/router.tsx';
import { NowProvider } from '../ui/texts/time.tsx';
import { ToastProvider } from '../ui/toasts/toast.tsx';
import { useIsSettled } from '../ui/pages/use-is-settled.ts';
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
