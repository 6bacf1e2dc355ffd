import { useEffect, useRef } from 'react';
import { product, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Logo } from '../../../ui/icon.tsx';
import { usePageTitle } from '../../../ui/page-title.ts';
import { useUnloadQuestion } from '../../../ui/use-leave-guard.ts';
import { CodeList } from './code-list.tsx';
import { remembered } from '../../../shared/account/session-tabs.ts';
import { unstoredCodes } from '../../../shared/account/unstored-codes.tsx';
import '../sign-in-card.css';

interface NewCodesProps {
  user_id: string;
  codes: readonly string[];
  onStored(): void;
}

/** Shows the recovery codes once, after a sign-up and before the app. */
export function NewCodes({ user_id, codes, onStored }: NewCodesProps) {
  usePageTitle(t.account.recovery.shown_title);
  useUnloadQuestion(true);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
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
    <div className="stack gap-4 sign-in-card">
      <p className="line gap-3 sign-in-brand">
        <Logo size={32} /> {product}
      </p>
      <h1 ref={heading} tabIndex={-1}>
        {t.account.recovery.shown_title}
      </h1>
      <p>{t.account.recovery.shown_text}</p>
      <CodeList user_id={user_id} codes={codes} />
      <div className="sign-in-form">
        <Button look="primary" wide onClick={go}>
          {t.account.recovery.go_on}
        </Button>
      </div>
    </div>
  );
}
