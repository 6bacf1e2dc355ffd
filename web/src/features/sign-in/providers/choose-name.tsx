import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { ProblemError, errorSentence } from '../../../data/problem.ts';
import { t } from '../../../text/text.ts';
import { Button, ButtonLink } from '../../../ui/buttons/button.tsx';
import { useErrorFocus } from '../../../ui/fields/field.tsx';
import { ErrorNote } from '../../../ui/fields/form-error.tsx';
import { Rich } from '../../../ui/texts/rich.tsx';
import { SectionState } from '../../../shared/section-state.tsx';
import { checkUserName } from '../check-user-name.ts';
import { signInOptionsQuery, type Entered } from '../sign-in.api.ts';
import { newcomerQuery, useNewcomer } from './providers.api.ts';
import { SignInFrame } from '../sign-in-frame.tsx';
import { UserNameField } from '../user-name-field.tsx';

/** Where a user who came from a provider for the first time chooses a user name. */
export function ChooseName({ onEntered }: { onEntered(entered: Entered): void }) {
  const query = useQuery(newcomerQuery);
  const isGone = query.error instanceof ProblemError && query.error.code === 'sign_in.step_ended';
  return (
    <SignInFrame title={t.account.providers.name_title}>
      {isGone ? (
        <>
          <ErrorNote>{errorSentence(query.error)}</ErrorNote>
          <ButtonLink to="/sign-in">{t.account.sign_in.title}</ButtonLink>
        </>
      ) : (
        <SectionState query={query}>
          {({ provider, user_id }) => <NameForm provider={provider} suggested={user_id} onEntered={onEntered} />}
        </SectionState>
      )}
    </SignInFrame>
  );
}

interface NameFormProps {
  provider: string;
  suggested: string;
  onEntered(entered: Entered): void;
}

function NameForm({ provider, suggested, onEntered }: NameFormProps) {
  const label = useQuery(signInOptionsQuery).data?.providers.find(({ name }) => name === provider)?.label ?? provider;
  const create = useNewcomer();
  const [username, setUsername] = useState(suggested);
  const [errors, setErrors] = useState<{ username?: string | undefined; form?: string }>({});
  const form = useErrorFocus(errors);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    const found = checkUserName(username);
    setErrors({ username: found });
    if (found) return;
    create.mutate(username, { onSuccess: onEntered, onError: (error) => setErrors(errorsOf(error)) });
  };
  return (
    <form ref={form} className="form sign-in-form" noValidate onSubmit={submit}>
      <p>
        <Rich text={t.account.providers.name_text} provider={<b>{label}</b>} />
      </p>
      <p className="quiet">{t.account.providers.name_other}</p>
      <ErrorNote>{errors.form}</ErrorNote>
      <UserNameField isNew value={username} error={errors.username} onChange={setUsername} />
      <Button type="submit" look="primary" wide busy={create.isPending}>
        {t.account.sign_in.sign_up_submit}
      </Button>
    </form>
  );
}

function errorsOf(error: unknown): { username?: string; form?: string } {
  const text = errorSentence(error);
  const isOfName = error instanceof ProblemError && error.code.startsWith('sign_up.name');
  return isOfName ? { username: text } : { form: text };
}
