/**
 * `npm run dev`: the BFF, started again when one of its files changes, and vite in front of it, which changes the page
 * in place. One Ctrl-C ends both. The page is on the address that vite prints; it proxies the rest to PORT (3000).
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './run.ts';

interface Vite {
  createServer(options: object): Promise<{ listen(): Promise<unknown>; close(): Promise<void>; printUrls(): void }>;
}

const port = process.env.PORT || '3000';
const webPort = Number(process.env.WEB_PORT || 5173);
const bff = `http://127.0.0.1:${port}`;

const web = join(root, 'web');
const vitePath = createRequire(join(web, 'package.json')).resolve('vite');
const { createServer } = (await import(pathToFileURL(vitePath).href)) as Vite;
const vite = await createServer({
  root: web,
  clearScreen: false,
  server: {
    port: webPort,
    strictPort: true,
    proxy: Object.fromEntries(
      ['/api', '/auth', '/service', '/docs', '/healthz', '/readyz'].map((path) => [path, { target: bff }]),
    ),
  },
});
await vite.listen();
vite.printUrls();

// Writes are accepted only from the page's own origin, which is vite's.
const env = { PUBLIC_URL: `http://localhost:${webPort}`, ...process.env, PORT: port };
const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'bff/src/main.ts'], {
  cwd: root,
  env,
  stdio: ['ignore', 'inherit', 'inherit'],
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => server.kill('SIGTERM'));
}
server.once('exit', () => void vite.close().then(() => process.exit()));
