// Before the first paint: theme, language and direction. See src/ui/theme.ts and src/text/language.ts.
{
  const root = document.documentElement;
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = read('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  root.classList.toggle('dark', theme === 'dark');

  const languages = ['en', 'de', 'en-XR'];
  const asked = new URLSearchParams(location.search).get('lang');
  if (languages.includes(asked)) {
    try {
      localStorage.setItem('lang', asked);
    } catch {
      // the language then applies to this page only
    }
  }
  const preferred = navigator.languages.map((tag) => tag.split('-')[0]);
  const lang = [asked, read('lang'), ...preferred].find((tag) => languages.includes(tag)) ?? 'en';
  root.lang = lang;
  root.dir = lang === 'en-XR' ? 'rtl' : 'ltr';
}
