import { createListeners } from './listeners.ts';
import { onNewPage } from './new-page.ts';

let asked: PromiseWithResolvers<boolean> | undefined;
const listeners = createListeners();

/** Whether the user is asked to confirm that it is them: requests that need it wait for the answer. */
export const confirmation = {
  subscribe: listeners.subscribe,
  isAsked: () => asked !== undefined,
  /** Returns whether the user has confirmed it; false on a page that cannot ask, like the offer of a passkey after sign-in. */
  async ask(): Promise<boolean> {
    if (!listeners.hasAny()) return false;
    asked ??= Promise.withResolvers();
    listeners.notify();
    return asked.promise;
  },
  settle(isConfirmed: boolean): void {
    asked?.resolve(isConfirmed);
    asked = undefined;
    listeners.notify();
  },
};
onNewPage(() => confirmation.settle(false));
