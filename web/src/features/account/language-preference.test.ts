import { afterEach, expect, test, vi } from 'vitest';
import { chooseLanguage } from './language-preference.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
});

test.each([true, false])('the language changes if the browser stores it: %s', (isStored) => {
  const replace = vi.fn<(url: URL) => void>();
  vi.stubGlobal('location', { href: 'https://deck.example/account?lang=en', replace });
  if (!isStored) {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
  }
  chooseLanguage('de');
  const shown = replace.mock.calls[0]![0];
  expect(shown.href).toBe(isStored ? 'https://deck.example/account' : 'https://deck.example/account?lang=de');
});
