import { mergeConfig } from 'vite';
import product from './vite.config.ts';

/** The build for the journeys, beside the product's, which its server then serves too. */
const config = mergeConfig(product, {
  base: '/journeys/',
  publicDir: false,
  build: {
    outDir: 'dist/journeys',
    manifest: false,
    license: false,
    rolldownOptions: { input: 'journeys.html' },
  },
});
config.build!.rolldownOptions!.treeshake = { ...config.build!.rolldownOptions!.treeshake, manualPureFunctions: [] };

export default config;
