import { t } from '../../../text/text.ts';
import { parseUserAgent } from '@swarmdeck/bff/user-agent';

/** How a new passkey is named: users recognize their devices. */
export function nameOfDevice(): string {
  const { browser, system } = parseUserAgent(navigator.userAgent);
  return browser && system ? t.account.sessions.on(browser, system) : (system ?? browser ?? t.account.passkeys.one);
}
