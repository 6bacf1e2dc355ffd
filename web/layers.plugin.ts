import type { Plugin } from 'vite';

/**
 * Puts each stylesheet into a cascade layer, which follows from its folder: those in `src/ui` into `kit`, others into
 * `page`. `src/ui/tokens.css` declares the order of the layers.
 */
export const layers: Plugin = {
  name: 'layers',
  enforce: 'pre',
  transform: {
    filter: { id: { include: /\/src\/[^?]*\.css(?:\?|$)/, exclude: /\/tokens\.css/ } },
    handler: (code, id) => `@layer ${layerOf(id)} {\n${code}}`,
  },
};

function layerOf(id: string): string {
  const own = /\/src\/ui\/(reset|layout)\.css/.exec(id)?.[1];
  return own ?? (id.includes('/src/ui/') ? 'kit' : 'page');
}
