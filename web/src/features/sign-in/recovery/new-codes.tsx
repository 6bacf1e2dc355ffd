import { useEffect } from 'react';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useUnloadQuestion } from '../../../ui/use-leave-guard.ts';
import { CodeList } from './code-list.tsx';
import { remembered } from '../../../shared/account/session-tabs.ts';
import { unstoredCodes } from '../../../shared/account/unstored-codes.tsx';
import { SignInFrame } from '../sign-in-frame.tsx';

interface NewCodesProps {
  user_id: string;
  codes: readonly string[];
  onStored(): void;
}

/** Shows the recovery codes once, after a sign-up and before the app. */
export function NewCodes({ user_id, codes, onStored }: NewCodesProps) {
  useUnloadQuestion(true);
  useEffect(() => {
    unstoredCodes.set(user_id);
    // The account exists: a reload must not offer to create it again.
    remembered.set('yes');
  }, [user_id]);
  const go = () => {
    unstoredCodes.set(null);
    onStored();
  };
  return (
    <SignInFrame title={t.account.recovery.shown_title} takesFocus>
      <p>{t.account.recovery.shown_text}</p>
      <CodeList user_id={user_id} codes={codes} />
      <div className="sign-in-form">
        <Button look="primary" wide onClick={go}>
          {t.account.recovery.go_on}
        </Button>
      </div>
    </SignInFrame>
  );
}
