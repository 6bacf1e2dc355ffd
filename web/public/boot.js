// Runs before the first paint, so that neither theme nor direction flickers. A file of its own: the content security
// policy allows no inline script. The same keys are written by src/app/theme.ts and read by src/text/language.ts.
{
  const root = document.documentElement;
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = read('theme') ?? 'system';
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.classList.toggle('dark', dark);

  const language = new URLSearchParams(location.search).get('lang') ?? read('lang');
  if (language === 'en-XR') {
    root.dir = 'rtl';
    root.lang = 'en-XR';
  }
}
