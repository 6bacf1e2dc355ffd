import type { Plugin } from 'vite';

/** Every page needs nearly all of the first two, and home needs the others. */
const early = /^(vendor|index|home|map)$/;

/**
 * Chromium compiles a file with this first line as a whole, in another thread while it loads, and not each function at its first
 * call: https://developer.chrome.com/blog/explicit-compile-hints
 */
export const compileEarly: Plugin = {
  name: 'compile-early',
  apply: 'build',
  generateBundle: {
    // after Vite has written its own first line
    order: 'post',
    handler(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === 'chunk' && early.test(output.name)) {
          output.code = `//# allFunctionsCalledOnLoad\n${output.code}`;
        }
      }
    },
  },
};
