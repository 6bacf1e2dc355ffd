import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';

interface TlsProxy {
  origin: string;
  /** Sets the port that requests are passed on to. */
  passTo(port: number): void;
  close(): void;
}

/** Serves a local server over TLS, with a test certificate that no browser trusts by itself. */
export async function startTlsProxy(): Promise<TlsProxy> {
  const pem = readFileSync(join(import.meta.dirname, '127.0.0.1.pem'));
  let target = 0;
  const proxy = createServer({ key: pem, cert: pem }, (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const passed = request({ host: '127.0.0.1', port: target, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      pipeline(answer, outgoing, () => undefined);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    pipeline(incoming, passed, () => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    origin: `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    passTo: (port) => void (target = port),
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
