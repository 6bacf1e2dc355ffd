import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { confirmation } from '../../../data/confirmation.ts';
import { ProblemError } from '../../../data/problem.ts';
import { accountQuery } from '../../../shared/account/account.api.ts';
import { SectionState } from '../../../shared/section-state.tsx';
import { t } from '../../../text/text.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { ErrorNote } from '../../../ui/fields/form-error.tsx';
import { passkeySentence } from '../passkeys/passkeys.api.ts';
import { confirmingWaysQuery, useConfirm } from './confirm.api.ts';
import { ConfirmByProvider, useConfirmingProviders } from './confirm-by-provider.tsx';
import { confirmingWays } from './ways.tsx';
import { saidByItself } from '../../../ui/dialogs/use-closing.ts';
import '../sign-in-card.css';

/** Asks the user to confirm that it is them. Then the request that needs it is sent again. */
export function ConfirmIdentity() {
  const { data: user_id } = useQuery({ ...accountQuery, select: (account) => account.user_id });
  const query = useQuery(confirmingWaysQuery);
  const ways = confirmingWays.filter(({ name }) => query.data?.includes(name));
  const providers = useConfirmingProviders();
  const [chosen, setChosen] = useState<string>();
  const way = ways.find(({ name }) => name === chosen) ?? ways[0];
  const [typed, setTyped] = useState('');
  const [errors, setErrors] = useState<{ typed?: string | undefined }>({});
  const confirm = useConfirm();
  const isWrong = confirm.error instanceof ProblemError && confirm.error.code === 'confirm.wrong';
  const isFieldWrong = isWrong && way?.Field !== undefined;
  const hasNoWay = query.data !== undefined && ways.length === 0 && providers?.length === 0;
  const sentence = isWrong && way ? t.account.confirm.ways[way.name].wrong : passkeySentence(confirm.error);

  const userName = useRef<HTMLInputElement>(null);
  // The ways are known after the dialog has opened, and a button that chooses one is removed.
  useEffect(() => {
    if (way) focusFirst(userName.current?.form);
  }, [way]);

  const choose = (name: string) => {
    setChosen(name);
    setTyped('');
    setErrors({});
    confirm.reset();
  };
  const submit = () => {
    if (!way || confirm.isPending) return;
    const missing = way.Field && typed === '' ? t.account.confirm.ways[way.name].missing : undefined;
    setErrors({ typed: missing });
    confirm.reset();
    if (missing) return;
    confirm.mutate({ way: way.name, value: way.valueOf(typed) }, { onSuccess: () => confirmation.settle(true) });
  };
  return (
    <FormDialog
      title={t.account.confirm.title}
      description={t.account.confirm.text}
      submit={way && t.account.confirm.submit}
      busy={confirm.isPending}
      outcome={saidByItself}
      errors={isFieldWrong && confirm.error ? confirm.error : errors}
      onSubmit={submit}
      onClose={() => confirmation.settle(false)}
    >
      <ErrorNote>{hasNoWay ? t.account.confirm.no_way : confirm.error && !isFieldWrong && sentence}</ErrorNote>
      {/* For password managers. */}
      <input ref={userName} type="text" name="username" autoComplete="username" value={user_id ?? ''} readOnly hidden />
      <SectionState query={query}>
        {() =>
          way?.Field && (
            <way.Field
              value={typed}
              error={isFieldWrong ? t.account.confirm.ways[way.name].wrong : errors.typed}
              onChange={setTyped}
            />
          )
        }
      </SectionState>
      {ways
        .filter((other) => other !== way)
        .map(({ name }) => (
          <p key={name}>
            <button type="button" className="sign-in-switch" onClick={() => choose(name)}>
              {t.account.confirm.ways[name].use}
            </button>
          </p>
        ))}
      <ConfirmByProvider providers={providers ?? []} />
    </FormDialog>
  );
}

/** Focuses the field, or the submit button of a form without one. */
function focusFirst(form: HTMLFormElement | null | undefined) {
  const controls = [...(form?.elements ?? [])] as HTMLElement[];
  controls.find((control) => control.matches('input:not([hidden]), [type=submit]'))?.focus();
}
