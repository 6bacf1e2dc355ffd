/** `en-XR` is a pseudo language for tests: every word reversed, written right to left. */
type Language = 'en' | 'en-XR';

function stored(): string | null {
  try {
    const asked = new URLSearchParams(location.search).get('lang');
    if (asked !== null) localStorage.setItem('lang', asked);
    return asked ?? localStorage.getItem('lang');
  } catch {
    return null;
  }
}

export const language: Language = stored() === 'en-XR' ? 'en-XR' : 'en';

/** English as the reader's own region writes its dates, else British. */
export const locale: string = globalThis.navigator?.languages?.find((tag) => tag.startsWith('en-')) ?? 'en-GB';
