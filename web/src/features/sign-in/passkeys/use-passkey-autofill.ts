import { useEffect, useEffectEvent } from 'react';
import { minuteMs } from '@swarmdeck/bff/durations';
import { askForPasskey } from './passkeys.api.ts';
import { hasAutofill } from './webauthn.ts';

/** In ms. The server takes an answer for 10 minutes. */
const renewedAfter = 8 * minuteMs;

/**
 * The browser offers passkeys among the suggestions for the user name, until the page is left. `isPaused`: a browser has one
 * request at a time.
 */
export function usePasskeyAutofill({ isPaused, onChosen }: { isPaused: boolean; onChosen(credential: object): void }) {
  const choose = useEffectEvent(onChosen);
  useEffect(() => {
    if (isPaused) return undefined;
    let leaving = new AbortController();
    async function offer() {
      leaving.abort();
      const { signal } = (leaving = new AbortController());
      // Without a network, or with too many requests, there is still the button.
      const credential = await askForPasskey(signal).catch(() => undefined);
      if (credential && !signal.aborted) choose(credential);
    }
    let renewal: NodeJS.Timeout | undefined;
    // The server knows the request of one tab, which is the one in front.
    const renew = () => document.visibilityState === 'visible' && void offer();
    let hasLeft = false;
    void hasAutofill().then((isAvailable) => {
      if (!isAvailable || hasLeft) return;
      renew();
      renewal = setInterval(renew, renewedAfter);
      document.addEventListener('visibilitychange', renew);
    });
    return () => {
      hasLeft = true;
      leaving.abort();
      clearInterval(renewal);
      document.removeEventListener('visibilitychange', renew);
    };
  }, [isPaused]);
}
