import type { IndexHtmlTransformContext, Plugin } from 'vite';
import { pages } from './src/app/pages.ts';
import { preloads } from './src/app/preloads.ts';
import { languages } from './texts.plugin.ts';

const mapModule = 'src/features/map/device-map.tsx';

/**
 * Lists in the HTML the languages and the pages, with the URLs that each needs first. `public/boot.js` preloads those of
 * the page that is opened, so that they load together with the app instead of a round trip after it.
 */
export const preload: Plugin = {
  name: 'preload',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      // the development server has no bundle
      const filesOf = bundle ? filesIn(bundle) : () => [];
      const textsIn = (language: string, group: string) => filesOf(`src/text/${language}/index.ts?texts=${group}`);
      const byLanguage = (files: (language: string) => string[]) =>
        Object.fromEntries(languages.map((name) => [name, files(name)]));
      const first = byLanguage((language) => textsIn(language, 'first'));
      const textsOf = (page: string) =>
        byLanguage((language) =>
          ['common', page]
            .flatMap((group) => textsIn(language, group))
            .filter((file) => !first[language]!.includes(file)),
        );
      const content = {
        texts: first,
        pages: Object.entries(pages).map(([path, { file, isPublic }]) => {
          const { data = [], phone, map } = preloads[path] ?? {};
          const files = filesOf(`src/routes/${file}.tsx`);
          const phoneFiles = phone ? filesOf(`src/${phone}`).filter((name) => !files.includes(name)) : [];
          const mapFiles = map ? filesOf(mapModule).filter((name) => !files.includes(name)) : [];
          const texts = file === 'home' ? {} : textsOf(`routes~${file}`);
          return { path, isPublic, data, files, texts, phoneFiles, map, mapFiles };
        }),
      };
      return [{ tag: 'meta', attrs: { name: 'preload', content: JSON.stringify(content) }, injectTo: 'head-prepend' }];
    },
  },
};

/** Returns the URLs of the files of a module and of its static imports, without those that every page loads. */
function filesIn(bundle: NonNullable<IndexHtmlTransformContext['bundle']>) {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const collect = (fileName: string, found: Set<string>): Set<string> => {
    if (found.has(fileName)) return found;
    found.add(fileName);
    const chunk = chunks.find((one) => one.fileName === fileName);
    for (const style of chunk?.viteMetadata?.importedCss ?? []) found.add(style);
    for (const name of chunk?.imports ?? []) collect(name, found);
    return found;
  };
  const first = new Set<string>();
  for (const { isEntry, fileName } of chunks) if (isEntry) collect(fileName, first);
  return (module: string): string[] => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${module}`)));
    if (!chunk) throw new Error(`${module} is not in the build`);
    return [...collect(chunk.fileName, new Set())].filter((name) => !first.has(name)).map((name) => `/${name}`);
  };
}
