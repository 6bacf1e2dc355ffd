import type { Account } from '@swarmdeck/bff/contract';
import { product, t } from '../../../text/text.ts';
import { Logo } from '../../../ui/logo.tsx';
import { Note } from '../../../ui/notice.tsx';
import { usePageTitle } from '../../../ui/page-title.ts';
import { Rich } from '../../../ui/rich.tsx';
import './sign-in-card.css';
import { SignInForm } from './sign-in-form.tsx';

type Mode = 'sign-in' | 'sign-up';

export function SignInCard({
  mode,
  onMode,
  next,
  open,
  onEntered,
}: {
  mode: Mode;
  onMode(mode: Mode): void;
  /** The name of the page after sign-in, or null. */
  next: string | null;
  /** Whether the server allows sign-up. */
  open: boolean;
  onEntered(account: Account): void;
}) {
  const signUp = mode === 'sign-up';
  const title = signUp ? t.account.sign_in.sign_up_title : t.account.sign_in.title;
  usePageTitle(title);
  return (
    <div className="sign-in-card">
      <p className="sign-in-brand">
        <Logo size={32} /> {product}
      </p>
      <h1>{title}</h1>
      {next !== null && (
        <Note icon="forward">
          <Rich text={t.account.sign_in.next} page={<b>{next}</b>} />
        </Note>
      )}
      <SignInForm mode={mode} onEntered={onEntered} />
      {open ? (
        <p className="sign-in-other">
          {signUp ? t.account.sign_in.have_one : t.account.sign_in.new_here}{' '}
          <button type="button" className="sign-in-switch" onClick={() => onMode(signUp ? 'sign-in' : 'sign-up')}>
            {signUp ? t.account.sign_in.to_sign_in : t.account.sign_in.to_sign_up}
          </button>
        </p>
      ) : (
        <p className="sign-in-other">{t.account.sign_in.closed}</p>
      )}
    </div>
  );
}
