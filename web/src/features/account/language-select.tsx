import { useEffect, useRef } from 'react';
import { languageName } from '../../text/language.ts';
import { languages, t } from '../../text/text.ts';
import { Select } from '../../ui/fields/select.tsx';
import { chooseLanguage, languagePreference } from './language-preference.ts';

const changedKey = 'language-changed';

/** Selects the language of the app. A change reloads the page, and the focus returns to the select. */
export function LanguageSelect() {
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
      value={languagePreference.get()}
      options={[
        { value: 'system', label: t.account.preferences.system_language },
        ...languages.map((value) => ({ value, label: languageName(value), lang: value })),
      ]}
      onChange={(value) => {
        try {
          sessionStorage.setItem(changedKey, '1');
        } catch {
          // The focus does not return.
        }
        chooseLanguage(value);
      }}
    />
  );
}
