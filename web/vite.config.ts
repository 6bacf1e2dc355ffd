import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The BFF answers with a strict content security policy: nothing may be inlined into the page.
export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/auth', '/service', '/docs', '/healthz', '/readyz'].map((path) => [path, 'http://127.0.0.1:3000']),
    ),
  },
});
