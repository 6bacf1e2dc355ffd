import type { ReactNode } from 'react';
import { t } from '../text/text.ts';
import { useLocation } from 'react-router';
import { useOffline, useUnreachable } from '../data/unreachable.ts';
import { Away, Offline } from '../ui/browser/offline.ts';
import { useToasts } from '../ui/toasts/toast.tsx';
import { UnreachableNotice } from './unreachable-notice.tsx';
import { CrashBoundary } from './crash-boundary.tsx';
import { Overlays } from './overlays.tsx';
import { Rail } from './rail.tsx';
import { SessionGate } from './session-gate.tsx';
import './shell.css';
import { usePageChange } from './use-page-change.ts';

interface ShellProps {
  /** Shown without a session. Undefined: the user is asked to sign in. */
  signedOutPage: ReactNode;
  children: ReactNode;
}

/** Everything around the pages of a user who is signed in. */
export function Shell({ signedOutPage, children }: ShellProps) {
  return (
    <SessionGate signedOut={signedOutPage && <main className="shell-main">{signedOutPage}</main>}>
      <WhyOffline>
        <Frame>{children}</Frame>
      </WhyOffline>
    </SessionGate>
  );
}

/** Buttons that send something say why they cannot. */
function WhyOffline({ children }: { children: ReactNode }) {
  const { show } = useToasts();
  const isOffline = useOffline();
  const reason = t.shell.unreachable.needs_connection;
  const explain = () => show({ title: reason });
  return (
    <Away value={useUnreachable() !== null}>
      <Offline value={isOffline ? { reason, explain } : null}>{children}</Offline>
    </Away>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const { pathname, state } = useLocation();
  const { entered } = (state ?? {}) as { entered?: true };
  const { main, announced } = usePageChange({ pathname, ...(entered && { entered }) });
  return (
    <>
      <a className="shell-skip" href="#main">
        {t.shell.skip}
      </a>
      <div className="shell">
        <Rail />
        <div className="fill shell-page">
          <UnreachableNotice />
          <main ref={main} id="main" tabIndex={-1} className="shell-main">
            <CrashBoundary key={pathname}>{children}</CrashBoundary>
          </main>
        </div>
      </div>
      <p className="visually-hidden" aria-live="polite">
        {announced}
      </p>
      <Overlays />
    </>
  );
}
