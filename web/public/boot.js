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

  // The files of the language and of the page (preload.plugin.ts) load together with the app, and the map after them.
  const { texts, pages } = JSON.parse(document.querySelector('[name=preload]')?.content ?? '{"texts":{},"pages":[]}');
  const matches = ({ path }) =>
    new RegExp(`^${path.replace(/:\w+/, '[^/]+').replace('*', '.*')}$`).test(location.pathname);
  const { path, files = [], map = [] } = pages.find(matches) ?? {};
  const [homeTexts = [], allTexts = []] = texts[lang.split('-')[0]] ?? [];
  const preload = (file) => {
    const link = document.createElement('link');
    const as = file.endsWith('.css') ? 'style' : file.endsWith('.js') ? undefined : 'fetch';
    Object.assign(link, as ? { rel: 'preload', as } : { rel: 'modulepreload' });
    link.crossOrigin = '';
    link.href = `/${file}`;
    document.head.append(link);
  };
  // every page but this one shows who is signed in
  if (path && path !== '/sign-in') preload('api/account');
  [...(path === '/' ? homeTexts : allTexts), ...files].forEach(preload);

  const loaded = new Set();
  const onLoad = ({ target }) => {
    loaded.add(target);
    if (![...document.querySelectorAll('[rel=modulepreload]')].every((link) => loaded.has(link))) return;
    document.removeEventListener('load', onLoad, true);
    map.forEach(preload);
  };
  document.addEventListener('load', onLoad, true);
}
