import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useActionRequests, useActions } from '../api/actions.ts';
import { undoTime } from '../ui/undo-time-preference.ts';
import { errorSentence, isSignedOut } from '../api/problem.ts';
import { serverNow } from '../api/server-clock.ts';
import { formatAge, formatDate, formatDateTime, formatRelative, t } from '../text/text.ts';
import { UiProvider, type UiEnvironment } from '../ui/environment.tsx';
import { KeysProvider } from '../ui/keys-provider.tsx';
import { usePreference } from '../ui/preference.ts';
import { lazyPart } from '../ui/lazy.tsx';
import { HistoryRouter } from '../ui/router.tsx';
import { NowProvider } from '../ui/time.tsx';
import { ToastProvider } from '../ui/toast.tsx';
import { useIsSettled } from '../ui/use-is-settled.ts';
import { AppRoutes } from './routes.tsx';
import { UndoKey } from './undo-key.tsx';

const UndoToasts = lazyPart(async () => (await import('./undo-toasts.tsx')).UndoToasts);

export function App({ client }: { client: QueryClient }) {
  const [environment] = useState(uiEnvironment);
  return (
    <QueryClientProvider client={client}>
      <UiProvider value={environment}>
        <NowProvider serverNow={serverNow}>
          <KeysProvider>
            <ToastProvider label={t.shell.notices}>
              <HistoryRouter>
                <AppRoutes />
                <Actions />
              </HistoryRouter>
            </ToastProvider>
          </KeysProvider>
        </NowProvider>
      </UiProvider>
    </QueryClientProvider>
  );
}

/** The toasts of actions load after the first page, or with the first action. */
function Actions() {
  const { setUndoSeconds } = useActionRequests();
  const seconds = usePreference(undoTime);
  useEffect(() => setUndoSeconds(Number(seconds)), [setUndoSeconds, seconds]);
  const hasActions = useActions().length > 0;
  const isSettled = useIsSettled();
  return (
    <>
      <UndoKey />
      {(isSettled || hasActions) && <UndoToasts />}
    </>
  );
}

function uiEnvironment(): UiEnvironment {
  return {
    words: t.shell.kit,
    errorSentence,
    hasOwnNotice: isSignedOut,
    time: { age: formatAge, relative: formatRelative, date: formatDate, date_time: formatDateTime },
  };
}
