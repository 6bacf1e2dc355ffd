import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const textFormat = 'text/plain; version=0.0.4; charset=utf-8';

/** Answers `GET /metrics` on a listening server. Scrapes at the same time share one reading. */
export function serveMetrics({
  server,
  read,
  report,
}: {
  server: Server;
  read: () => Promise<string>;
  report: (error: unknown) => void;
}): void {
  let reading: Promise<string> | undefined;
  const readShared = () => (reading ??= read().finally(() => (reading = undefined)));

  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const answer = (status: number, text: string, headers = {}) =>
      outgoing.writeHead(status, { 'content-type': textFormat, ...headers }).end(text);
    if (incoming.url !== '/metrics') {
      answer(404, 'The metrics are at /metrics\n');
      return;
    }
    if (incoming.method !== 'GET' && incoming.method !== 'HEAD') {
      answer(405, '', { allow: 'GET, HEAD' });
      return;
    }
    readShared()
      .then((text) => answer(200, text))
      .catch((error: unknown) => {
        report(error);
        answer(500, '');
      });
  });
}
