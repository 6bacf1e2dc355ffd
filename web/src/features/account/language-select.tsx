import { chooseLanguage, chosenLanguage, languageNames } from '../../text/language.ts';
import type { ChosenLanguage } from '../../text/language.ts';
import { t } from '../../text/text.ts';
import { Select } from '../../ui/select.tsx';

/** Selects the language of the app. A change reloads the page. */
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
