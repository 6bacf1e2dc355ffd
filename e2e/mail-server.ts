import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  to: string;
  /** With its headers, which are in ASCII here. */
  text: string;
}

export interface MailServer {
  port: number;
  received: ReceivedMail[];
  close(): Promise<void>;
}

/** A mail server on this machine, without TLS. */
export async function openMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, done) {
      const receive = async () => {
        received.push({ to: envelope.rcptTo[0]!.address, text: decode(await text(stream)) });
        done();
      };
      void receive();
    },
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    port: (listening.address() as AddressInfo).port,
    received,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

/** Of quoted-printable (RFC 2045, 6.7). */
function decode(raw: string): string {
  const bytes = raw
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n');
}
