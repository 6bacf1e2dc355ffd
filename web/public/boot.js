// Before the first paint: theme, language and direction. See src/ui/theme-button.tsx and src/text/language.ts.
{
  const root = document.documentElement;
  const params = new URLSearchParams(location.search);
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = read('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  root.classList.toggle('dark', theme === 'dark');

  // The languages and the pages with their files. See preload-list.plugin.ts.
  const { texts, pages } = JSON.parse(document.querySelector('[name=preload]').content);
  const languages = [...Object.keys(texts), 'en-XR'];
  const requested = params.get('lang');
  if (languages.includes(requested)) {
    try {
      localStorage.setItem('lang', requested);
    } catch {
      // the language then applies to this page only
    }
  }
  const baseOf = (tag) => tag.split('-')[0];
  // a translation for a region, such as pt-BR, serves all of its language
  const preferred = navigator.languages.map((tag) =>
    tag in texts ? tag : Object.keys(texts).find((known) => baseOf(known) === baseOf(tag)),
  );
  const lang = [requested, read('lang'), ...preferred].find((tag) => languages.includes(tag)) ?? 'en';
  root.lang = lang;
  root.dir = lang === 'en-XR' ? 'rtl' : (new Intl.Locale(lang).getTextInfo?.().direction ?? 'ltr');

  // The files of the language and of the page, and its data, load together with the app, and the map after them.
  const preload = (path) => {
    const link = document.createElement('link');
    const as = path.endsWith('.css') ? 'style' : path.endsWith('.js') ? undefined : 'fetch';
    Object.assign(link, as ? { rel: 'preload', as } : { rel: 'modulepreload' });
    link.crossOrigin = '';
    link.href = path;
    document.head.append(link);
  };
  const patternOf = ({ path }) => new RegExp(`^${path.replace(/:\w+/, '([^/]+)').replace('*', '.*')}$`);
  const page = pages.find((one) => patternOf(one).test(location.pathname));
  const signedIn = read('signed_in');
  if (page && !page.isPublic && signedIn !== 'no') preload('/api/account');
  // without a session there would be only errors, which the browser would use again after the sign-in
  if (page && !page.isPublic && signedIn === 'yes') {
    const [, id] = patternOf(page).exec(location.pathname);
    // no request depends on the language, and that of the list not on the map
    params.delete('lang');
    const isBare = params.size === 0;
    const wanted = isBare && page.map ? [...page.data, page.map] : page.data;
    // what home shows without a parameter, as in src/features/devices/device-filters.ts
    const audience = (isBare && read('devices')) || 'own';
    const isPlain = [...params.keys()].every((name) => name === 'map');
    if (isPlain) wanted.forEach((url) => preload(url.replace(':id', id).replace('=own', `=${audience}`)));
  }
  const textsIn = (files) => files?.[lang] ?? files?.en ?? [];
  [...textsIn(texts), ...textsIn(page?.texts), ...(page?.files ?? [])].forEach(preload);
  // the width of a phone, as in src/ui/media.ts
  if (matchMedia('(max-width: 47.9375em)').matches) page?.phoneFiles.forEach(preload);

  const loaded = new Set();
  const onLoad = ({ target }) => {
    loaded.add(target);
    if (![...document.querySelectorAll('[rel=modulepreload]')].every((link) => loaded.has(link))) return;
    document.removeEventListener('load', onLoad, true);
    page?.mapFiles.forEach(preload);
  };
  document.addEventListener('load', onLoad, true);
}
