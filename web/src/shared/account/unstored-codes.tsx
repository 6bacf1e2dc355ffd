import { useQuery } from '@tanstack/react-query';
import { t } from '../../text/text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { createStoredText, usePreference } from '../../ui/preference.ts';
import { accountQuery } from './account.api.ts';
import '../../ui/page-strip.css';

/** The user who has left the page of the recovery codes, which shows them once, without saying that they are stored. */
export const unstoredCodes = createStoredText('unstored_codes');

/** Whether that is the user who is signed in. */
export function useHasUnstoredCodes(): boolean {
  const unstored = usePreference(unstoredCodes);
  const user_id = useQuery(accountQuery).data?.user_id;
  return unstored !== null && unstored === user_id;
}

/** Reminds the user of them. */
export function UnstoredCodes() {
  if (!useHasUnstoredCodes()) return null;
  return (
    <div className="line gap-3 spread quiet page-strip">
      <span>{t.account.recovery.unstored}</span>
      <ButtonLink look="accent" size="row" to="/account#recovery">
        {t.account.recovery.make}
      </ButtonLink>
    </div>
  );
}
