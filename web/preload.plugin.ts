import type { Plugin } from 'vite';
import { pages } from './src/app/pages.ts';

/** Of each language: the texts of the home page, and all texts. */
const texts = {
  en: ['src/text/en/first.ts', 'src/text/en/en.ts'],
  de: ['src/text/de/first.ts', 'src/text/de/de.ts'],
};
const map = 'src/features/map/device-map.tsx';

/**
 * Lists in the HTML the files of each language and of each page. `public/boot.js` preloads those of the first page, so
 * that they load together with the app instead of a round trip after it.
 */
export const preload: Plugin = {
  name: 'preload',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk');
      const chunkOf = (module: string) => {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${module}`)));
        if (!chunk) throw new Error(`${module} is not in the build`);
        return chunk;
      };
      /** Adds to `found` the file, its styles and its static imports. */
      const collect = (fileName: string, found: Set<string>) => {
        if (found.has(fileName)) return;
        found.add(fileName);
        const chunk = chunks.find((one) => one.fileName === fileName);
        for (const style of chunk?.viteMetadata?.importedCss ?? []) found.add(style);
        for (const name of chunk?.imports ?? []) collect(name, found);
      };
      const first = new Set<string>();
      for (const { fileName } of chunks.filter(({ isEntry }) => isEntry)) collect(fileName, first);
      const filesOf = (...fileNames: string[]) => {
        const found = new Set(first);
        for (const fileName of fileNames) collect(fileName, found);
        return [...found].filter((name) => !first.has(name));
      };
      const filesOfPage = (file: string) => {
        const { fileName } = chunkOf(`src/routes/${file}.tsx`);
        const own = [fileName, ...filesOf(fileName)];
        const mapFile = chunkOf(map).fileName;
        const withMap = chunks.some((chunk) => own.includes(chunk.fileName) && chunk.dynamicImports.includes(mapFile));
        const files = filesOf(fileName);
        return { files, map: withMap ? filesOf(mapFile).filter((name) => !files.includes(name)) : [] };
      };
      const content = JSON.stringify({
        texts: Object.fromEntries(
          Object.entries(texts).map(([lang, modules]) => [
            lang,
            modules.map((module) => filesOf(chunkOf(module).fileName)),
          ]),
        ),
        pages: Object.entries(pages).map(([path, file]) => ({ path, ...filesOfPage(file) })),
      });
      return [{ tag: 'meta', attrs: { name: 'preload', content }, injectTo: 'head-prepend' }];
    },
  },
};
