// Before the first paint: theme and direction (src/ui/theme.ts and src/text/language.ts go on from here).
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
  if ((new URLSearchParams(location.search).get('lang') ?? read('lang')) === 'en-XR') {
    root.dir = 'rtl';
    root.lang = 'en-XR';
  }
}
