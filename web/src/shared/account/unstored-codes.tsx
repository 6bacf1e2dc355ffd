import { useQuery } from '@tanstack/react-query';
import { t } from '../../text/text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { accountQuery } from './account.api.ts';
import '../../ui/page-strip.css';

/** Whether the user has left the page of the recovery codes, which shows them once, without saying that they are stored. */
export const useHasUnstoredCodes = (): boolean => useQuery(accountQuery).data?.unstored_codes === true;

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
