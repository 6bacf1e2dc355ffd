import type { ComponentProps } from 'react';
import { product, t } from '../../../text/text.ts';
import { Logo } from '../../../ui/icon.tsx';
import { usePageTitle } from '../../../ui/page-title.ts';
import { SecondFactor } from './second-factor.tsx';
import '../sign-in-card.css';

/** After a sign-in by a provider, a code of the authenticator app is asked for. */
export function SecondFactorPage(props: ComponentProps<typeof SecondFactor>) {
  usePageTitle(t.account.sign_in.title);
  return (
    <div className="stack gap-4 sign-in-card">
      <p className="line gap-3 sign-in-brand">
        <Logo size={32} /> {product}
      </p>
      <h1>{t.account.sign_in.title}</h1>
      <SecondFactor {...props} />
    </div>
  );
}
