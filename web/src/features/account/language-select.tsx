import { useEffect, useRef } from 'react';
import { chooseLanguage, chosenLanguage, languageName } from '../../text/language.ts';
import { languages, t } from '../../text/text.ts';
import { Select } from '../../ui/select.tsx';

const changedKey = 'language-changed';

/** Selects the language of the app. A change reloads the page, and the focus returns to the select. */
export function LanguageSelect() {
  const chosen = chosenLanguage();
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    try {
      if (sessionStorage.getItem(changedKey) !== null) select.current?.focus();
      sessionStorage.removeItem(changedKey);
    } catch {
      // The browser blocks storage.
    }
  }, []);
  return (
    <Select
      ref={select}
      aria-label={t.account.preferences.language}
      value={languages.find((language) => language === chosen) ?? 'system'}
      options={[
        { value: 'system', label: t.account.preferences.system_language },
        ...languages.map((value) => ({ value, label: languageName(value), lang: value })),
      ]}
      onChange={(value) => {
        sessionStorage.setItem(changedKey, '1');
        chooseLanguage(value === 'system' ? null : value);
      }}
    />
  );
}
