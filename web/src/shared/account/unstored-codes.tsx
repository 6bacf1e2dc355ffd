import { t } from '../../text/text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { createPreference, usePreference } from '../../ui/preference.ts';
import '../../ui/page-strip.css';

/** Whether this user has left the page of the recovery codes, which shows them once, without saying that they are stored. */
export const unstoredCodes = createPreference({ key: 'unstored_codes', values: ['no', 'yes'] });

/** Reminds the user of them. */
export function UnstoredCodes() {
  if (usePreference(unstoredCodes) === 'no') return null;
  return (
    <div className="line gap-3 spread quiet page-strip">
      <span>{t.account.recovery.unstored}</span>
      <ButtonLink look="accent" size="row" to="/account#recovery">
        {t.account.recovery.make}
      </ButtonLink>
    </div>
  );
}
