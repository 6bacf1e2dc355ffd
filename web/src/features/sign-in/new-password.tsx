import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { ProblemError, errorSentence } from '../../data/problem.ts';
import { t } from '../../text/text.ts';
import { Button, ButtonLink } from '../../ui/buttons/button.tsx';
import { ActionError, ErrorNote } from '../../ui/fields/form-error.tsx';
import { Note } from '../../ui/toasts/notice.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { Rich } from '../../ui/texts/rich.tsx';
import { SectionState } from '../../shared/section-state.tsx';
import { openPasswordLinkQuery, signInOptionsQuery, usePasswordLink } from './sign-in.api.ts';
import { checkPassword } from '../../shared/account/check-password.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/** Where the user of a link, which an operator has made or which was sent by email, chooses a new password. */
export function NewPassword({ code }: { code: string }) {
  const query = useQuery(openPasswordLinkQuery(code));
  const options = useQuery(signInOptionsQuery);
  const [isDone, setDone] = useState(false);
  const isGone = query.error instanceof ProblemError && query.error.code === 'password_link.not_found';
  return (
    <SignInFrame title={options.data?.passwords === false ? t.account.sign_in.title : t.account.link.title}>
      {isDone && <Note icon="check">{t.account.link.done}</Note>}
      {!isDone && isGone && (
        <ErrorNote>{options.data?.mail_link ? t.account.link.gone_again : t.account.link.gone}</ErrorNote>
      )}
      {!isDone && !isGone && (
        <SectionState query={query}>
          {({ user_id }) => (
            <SectionState query={options}>
              {({ passwords }) =>
                passwords ? (
                  <PasswordForm code={code} user_id={user_id} onDone={() => setDone(true)} />
                ) : (
                  <EnterByLink code={code} user_id={user_id} />
                )
              }
            </SectionState>
          )}
        </SectionState>
      )}
      {(isDone || isGone) && (
        <ButtonLink to="/sign-in" look={isDone ? 'primary' : 'plain'}>
          {t.account.sign_in.title}
        </ButtonLink>
      )}
    </SignInFrame>
  );
}

/** On a server without passwords, the link signs its user in. */
function EnterByLink({ code, user_id }: { code: string; user_id: string }) {
  const use = usePasswordLink();
  return (
    <div className="form sign-in-form">
      <p>
        <Rich text={t.account.link.enter_text} user={<b>{user_id}</b>} />
      </p>
      <ActionError error={use.error} />
      <Button
        look="primary"
        wide
        busy={use.isPending}
        onClick={() =>
          use.mutate({ code }, { onSuccess: (asked) => location.assign(asked ? '/sign-in?second=1' : '/') })
        }
      >
        {t.account.sign_in.submit}
      </Button>
    </div>
  );
}

function PasswordForm({ code, user_id, onDone }: { code: string; user_id: string; onDone(): void }) {
  const use = usePasswordLink();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (use.isPending) return;
    const found = checkPassword(password);
    setError(found);
    if (found) return;
    use.mutate(
      { code, newPassword: password },
      { onSuccess: onDone, onError: (reason) => setError(errorSentence(reason)) },
    );
  };
  return (
    <form className="form sign-in-form" noValidate onSubmit={submit}>
      <p>
        <Rich text={t.account.link.text} user={<b>{user_id}</b>} />
      </p>
      {/* For password managers. */}
      <input type="text" name="username" autoComplete="username" value={user_id} readOnly hidden />
      <NewPasswordField value={password} error={error} onChange={setPassword} />
      <Button type="submit" look="primary" wide busy={use.isPending}>
        {t.account.link.submit}
      </Button>
    </form>
  );
}
