import { useQuery } from '@tanstack/react-query';
import type { NewRecoveryCodes } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { ActionError } from '../../../ui/fields/form-error.tsx';
import { ShownOnce } from '../../../ui/pages/shown-once.tsx';
import { accountQuery } from '../../../shared/account/account.api.ts';
import { CodeList } from './code-list.tsx';
import { useStoredCodes } from './recovery.api.ts';

/** The dialog with new recovery codes. The checkbox stays checked when the server has noted that they are stored. */
export function ShownCodes({ codes, onClose }: { codes: NewRecoveryCodes; onClose(): void }) {
  const user_id = useQuery(accountQuery).data?.user_id ?? '';
  const stored = useStoredCodes(codes);
  return (
    <ShownOnce
      title={t.account.recovery.shown_title}
      text={t.account.recovery.shown_text}
      texts={t.account.recovery}
      isStored={stored.isPending || stored.isSuccess}
      onStored={() => stored.isSuccess || stored.mutate()}
      onClose={onClose}
    >
      <CodeList user_id={user_id} codes={codes.recovery_codes} />
      <ActionError error={stored.error} />
    </ShownOnce>
  );
}
