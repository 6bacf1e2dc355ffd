import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { t } from '../../../text/text.ts';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { accountQuery } from '../../../shared/account/account.api.ts';
import { unstoredCodes } from '../../../shared/account/unstored-codes.tsx';
import { CodeList } from './code-list.tsx';

/** The dialog with new recovery codes. Until the user says that they are stored, `unstoredCodes` names the user. */
export function ShownCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const user_id = useQuery(accountQuery).data?.user_id ?? '';
  useEffect(() => unstoredCodes.set(user_id), [user_id]);
  return (
    <ShownOnce
      title={t.account.recovery.shown_title}
      text={t.account.recovery.shown_text}
      texts={t.account.recovery}
      onStored={(isStored) => unstoredCodes.set(isStored ? null : user_id)}
      onClose={onClose}
    >
      <CodeList user_id={user_id} codes={codes} />
    </ShownOnce>
  );
}
