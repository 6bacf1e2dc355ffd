import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewRecoveryCodes, NewTotp } from '@swarmdeck/bff/contract';
import { errorParts, errorSentence, isOutcomeUnknown, ProblemError } from '../../../data/problem.ts';
import { t } from '../../../text/text.ts';
import { Button, buttonClass } from '../../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { CopyField } from '../../../ui/fields/copy-field.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { ActionError, ErrorNote } from '../../../ui/fields/form-error.tsx';
import { QrCode } from '../../../ui/qr/qr-code.tsx';
import { useErrorToast, useToasts } from '../../../ui/toasts/toast.tsx';
import { SectionState } from '../../../shared/section-state.tsx';
import { ShownCodes } from '../recovery/shown-codes.tsx';
import { AppCodeField } from './app-code-field.tsx';
import { totpQuery, useConfirmTotp, useNewTotp, useRemoveTotp } from './totp.api.ts';
import './totp.css';
import type { Outcome } from '../../../ui/dialogs/use-closing.ts';

/** Whether the sign-in asks for a code of an app after the password; sets it up and removes it. */
export function AuthenticatorApp() {
  const query = useQuery(totpQuery);
  const setUp = useAppSetUp();
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <SectionState query={query}>
        {({ is_on }) => (
          <div className="box-row">
            <div className="box-row-words">
              <p className="box-row-title">{t.account.totp.title}</p>
              <p className="quiet">{is_on ? t.account.totp.on : t.account.totp.off}</p>
            </div>
            {is_on ? (
              <Button
                look="quiet"
                size="row"
                sends
                aria-label={t.account.totp.remove_it}
                onClick={() => setRemoving(true)}
              >
                {t.account.totp.remove}
              </Button>
            ) : (
              <Button
                look="quiet"
                size="row"
                sends
                aria-label={t.account.totp.set_up_title}
                busy={setUp.isBusy}
                onClick={setUp.begin}
              >
                {t.account.totp.set_up}
              </Button>
            )}
          </div>
        )}
      </SectionState>
      {setUp.dialogs}
      {isRemoving && <Remove onClose={() => setRemoving(false)} />}
    </>
  );
}

/** Sets the app up in a dialog. A user without recovery codes gets some, which another dialog shows. */
export function useAppSetUp() {
  const make = useNewTotp();
  const showError = useErrorToast();
  const [codes, setCodes] = useState<NewRecoveryCodes>();
  const turnedOn = (made: NewRecoveryCodes) => {
    if (made.recovery_codes.length > 0) setCodes(made);
    make.reset();
  };
  return {
    begin: () => make.mutate(undefined, { onError: (error) => showError(error) }),
    isBusy: make.isPending,
    isOpen: make.data !== undefined || codes !== undefined,
    dialogs: (
      <>
        {make.data && <SetUp made={make.data} onTurnedOn={turnedOn} onClose={() => make.reset()} />}
        {codes && <ShownCodes codes={codes} onClose={() => setCodes(undefined)} />}
      </>
    ),
  };
}

interface SetUpProps {
  made: NewTotp;
  /** With new recovery codes, if the user had none. */
  onTurnedOn(codes: NewRecoveryCodes): void;
  onClose(): void;
}

function SetUp({ made: { secret, url }, onTurnedOn, onClose }: SetUpProps) {
  const toasts = useToasts();
  const confirm = useConfirmTotp();
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<{ code?: string | undefined }>({});
  const isWrong = confirm.error instanceof ProblemError && confirm.error.code === 'totp.wrong_code';
  const submit = () => {
    const missing = code.trim() === '' ? t.account.totp.missing : undefined;
    setErrors({ code: missing });
    confirm.reset();
    if (missing) return;
    confirm.mutate(code, {
      onSuccess(codes) {
        toasts.show({ title: t.account.totp.is_on });
        onTurnedOn(codes);
      },
    });
  };
  const outcome = (data: unknown): Outcome => {
    const codes = data as NewRecoveryCodes;
    const isNew = codes.recovery_codes.length > 0;
    return {
      title: t.account.totp.is_on,
      icon: 'check',
      ...(isNew && { renderShown: (close) => <ShownCodes codes={codes} onClose={close} /> }),
    };
  };
  return (
    <FormDialog
      title={t.account.totp.set_up_title}
      description={t.account.totp.set_up_text}
      submit={t.account.totp.turn_on}
      busy={confirm.isPending}
      closingNote={t.account.totp.is_sent}
      outcome={outcome}
      errors={isWrong && confirm.error ? confirm.error : errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <ErrorNote>{confirm.error && !isWrong && sentenceOf(confirm.error)}</ErrorNote>
      <div className="totp-qr">
        <QrCode quiet text={url} label={t.account.totp.qr} />
      </div>
      <a className={buttonClass({})} href={url}>
        {t.account.totp.open}
      </a>
      <CopyField label={t.account.totp.secret} text={secret.replaceAll(/.{4}(?=.)/g, '$& ')} />
      <AppCodeField value={code} error={isWrong ? t.account.totp.wrong_first : errors.code} onChange={setCode} />
    </FormDialog>
  );
}

function sentenceOf(error: Error): string {
  if (isOutcomeUnknown(error)) return t.account.totp.not_answered;
  // It may be this one, turned on by a try without an answer.
  return errorParts(error).code === 'totp.exists' ? t.account.totp.is_on_already : errorSentence(error);
}

function Remove({ onClose }: { onClose(): void }) {
  const remove = useRemoveTotp();
  return (
    <ConfirmDialog
      title={t.account.totp.remove_title}
      description={t.account.totp.remove_text}
      confirm={t.account.totp.remove}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <ActionError error={remove.error} />
    </ConfirmDialog>
  );
}
