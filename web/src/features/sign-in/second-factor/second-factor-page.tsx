import type { ComponentProps } from 'react';
import { t } from '../../../text/text.ts';
import { SecondFactor } from './second-factor.tsx';
import { SignInFrame } from '../sign-in-frame.tsx';

/** After a sign-in by a provider, a code of the authenticator app is asked for. */
export function SecondFactorPage(props: ComponentProps<typeof SecondFactor>) {
  return (
    <SignInFrame title={t.account.sign_in.title}>
      <SecondFactor {...props} />
    </SignInFrame>
  );
}
