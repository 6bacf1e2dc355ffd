import { chooseLanguage, chosenLanguage, languageNames } from '../../text/language.ts';
import type { ChosenLanguage } from '../../text/language.ts';
import { t } from '../../text/text.ts';
import { Select } from '../../ui/select.tsx';

/** The choice of the app's language. A change loads the page again. */
export function LanguageSelect() {
  const names = Object.entries(languageNames) as [ChosenLanguage, string][];
  return (
    <Select
      aria-label={t.shell.language.label}
      value={chosenLanguage() ?? 'system'}
      options={[
        { value: 'system', label: t.shell.language.system },
        ...names.map(([value, label]) => ({ value, label })),
      ]}
      onChange={(value) => chooseLanguage(value === 'system' ? undefined : value)}
    />
  );
}
