import { useQuery } from '@tanstack/react-query';
import { t } from '../../text/text.ts';
import { ButtonLink } from '../../ui/buttons/button.tsx';
import { accountQuery } from './account.api.ts';
import { codesShownQuery } from './shown-codes.ts';
import '../../ui/pages/page-strip.css';

/**
 * Whether the user has left the page of the recovery codes, which shows them once, without saying that they are stored. Undefined
 * until it is known whether another tab still shows them.
 */
export function useHasUnstoredCodes(): boolean | undefined {
  const isUnstored = useQuery(accountQuery).data?.unstored_codes === true;
  const areShown = useQuery({ ...codesShownQuery, enabled: isUnstored }).data;
  return isUnstored && (areShown === undefined ? undefined : !areShown);
}

/** Reminds the user of them. */
export function UnstoredCodes() {
  if (!useHasUnstoredCodes()) return null;
  return (
    <div className="line wraps gap-3 spread quiet page-strip">
      <span>{t.account.recovery.unstored}</span>
      <ButtonLink look="accent" size="row" to="/account#recovery">
        {t.account.recovery.make}
      </ButtonLink>
    </div>
  );
}
