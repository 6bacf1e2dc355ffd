import { useEffect } from 'react';
import type { NewRecoveryCodes } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ActionError } from '../../../ui/fields/form-error.tsx';
import { useUnloadQuestion } from '../../../ui/pages/use-leave-guard.ts';
import { CodeList } from './code-list.tsx';
import { useStoredCodes } from './recovery.api.ts';
import { followSession, leavePage, remembered } from '../../../shared/account/session-tabs.ts';
import { SignInFrame } from '../sign-in-frame.tsx';

interface NewCodesProps {
  user_id: string;
  codes: NewRecoveryCodes;
  /** `isNoted`: the server knows that the user has stored them. */
  onDone(isNoted: boolean): void;
}

/** Shows the recovery codes once, after a sign-up and before the app. */
export function NewCodes({ user_id, codes, onDone }: NewCodesProps) {
  useUnloadQuestion(true);
  // The account exists: a reload must not offer to create it again.
  useEffect(() => remembered.set('yes'), []);
  // Another user of the browser must not see the codes: each can set a new password.
  useEffect(() => followSession(user_id, leavePage), [user_id]);
  const stored = useStoredCodes(codes);
  return (
    <SignInFrame title={t.account.recovery.shown_title} takesFocus>
      <p>{t.account.recovery.shown_text}</p>
      <CodeList user_id={user_id} codes={codes.recovery_codes} />
      <div className="stack gap-3 sign-in-form">
        <ActionError error={stored.error} />
        <Button
          look="primary"
          wide
          busy={stored.isPending}
          onClick={() => stored.mutate(undefined, { onSuccess: () => onDone(true) })}
        >
          {t.account.recovery.go_on}
        </Button>
        {stored.isError && (
          <Button look="quiet" wide onClick={() => onDone(false)}>
            {t.account.recovery.go_on_anyway}
          </Button>
        )}
      </div>
    </SignInFrame>
  );
}
