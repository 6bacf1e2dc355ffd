import type { SignInOptions } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { buttonClass } from '../../../ui/buttons/button.tsx';
import './provider-links.css';

/** Sign in by a provider: each is a link that leaves the app. The user comes back to `next`. */
export function ProviderLinks({ providers, next }: { providers: SignInOptions['providers']; next: string }) {
  if (providers.length === 0) return null;
  const query = next === '/' ? '' : `?next=${encodeURIComponent(next)}`;
  return (
    <ul className="stack gap-2 provider-links">
      {providers.map(({ name, label }) => (
        <li key={name}>
          <a className={buttonClass({ look: 'plain', wide: true })} href={`/auth/oidc/${name}${query}`}>
            {t.account.providers.sign_in(label)}
          </a>
        </li>
      ))}
    </ul>
  );
}
