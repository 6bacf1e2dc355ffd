import { createPreference } from '../../../ui/browser/preference.ts';
import { hasPlatformAuthenticator } from './webauthn.ts';

/** Whether a passkey was offered on this device. It names no user, because other people may use the device. */
const offered = createPreference({ key: 'passkey_offered', values: ['no', 'yes'] });

/** Whether a passkey is offered here: once, if the device can have one. */
export async function isPasskeyOffered(): Promise<boolean> {
  return offered.get() === 'no' && (await hasPlatformAuthenticator());
}

export const noteOffer = () => offered.set('yes');
