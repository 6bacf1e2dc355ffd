import type { Plugin } from 'vite';

/**
 * Lets the build leave out what react-router has for the routes of a framework, which the app does not have: with their data, errors
 * and redirects, 2 kB gzip of the first files. One call of `memo`, which may have effects for all that the build knows, kept them.
 */
export const reactRouter: Plugin = {
  name: 'react-router',
  apply: 'build',
  transform: {
    filter: { id: /\/react-router\/dist\/production\/lib\/components\.js/, code: /= React\$1\.memo\(/ },
    handler: (code) => ({ code: code.replaceAll('= React$1.memo(', '= /* @__PURE__ */ React$1.memo('), map: null }),
  },
};
