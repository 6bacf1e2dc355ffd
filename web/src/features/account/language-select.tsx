import { chooseLanguage, chosenLanguage, languageName } from '../../text/language.ts';
import { languages, t } from '../../text/text.ts';
import { Select } from '../../ui/select.tsx';

/** Selects the language of the app. A change reloads the page. */
export function LanguageSelect() {
  const chosen = chosenLanguage();
  return (
    <Select
      aria-label={t.shell.language.label}
      value={languages.find((language) => language === chosen) ?? 'system'}
      options={[
        { value: 'system', label: t.shell.language.system },
        ...languages.map((value) => ({ value, label: languageName(value) ?? value })),
      ]}
      onChange={(value) => chooseLanguage(value === 'system' ? null : value)}
    />
  );
}
