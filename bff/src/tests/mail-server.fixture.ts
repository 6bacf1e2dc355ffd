import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as the mail server has got it. */
export interface ReceivedMail {
  to: string;
  /** By their names in lower case, decoded. */
  headers: ReadonlyMap<string, string>;
  text: string;
  isEncrypted: boolean;
  /** Who has signed in to the mail server. */
  user: string | undefined;
}

export interface MailServer extends AsyncDisposable {
  port: number;
  received: ReceivedMail[];
  connections: () => number;
}

export const mailLogin = { user: 'swarmdeck', pass: 'p@ss/word' };

/** Of `localhost` and 127.0.0.1, valid until 2126. Anybody can read its key. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnzYy2Rzc+Vzf2uFJ
WbgJlVV1K3oD4UeexewhOd7BNTmhRANCAARN8ur4qgISvoy0CGjs+FCNDuXANGW+
eEflPTtrl/mfd2LhsNmpdspWRm5ZH3H2iqheWYGXVZVSE8gzboEXRU5i
-----END PRIVATE KEY-----`;
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBaDCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyNjAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABE3y6viqAhK+jLQI
aOz4UI0O5cA0Zb54R+U9O2uX+Z93YuGw2al2ylZGblkfcfaKqF5ZgZdVlVITyDNu
gRdFTmKjTjBMMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNVHRMBAf8E
BTADAQH/MB0GA1UdDgQWBBRtaY05bUo5SjMuzaKvePuhmrlUsTAKBggqhkjOPQQD
AgNJADBGAiEAp0IVrYbKJJEjUCQKscc4rHLWd/qd7Afv/3S/8ds96gcCIQDW5gki
YhlKwJQAq3CndqFjbMa/UtckrnsMoeriiQAjgA==
-----END CERTIFICATE-----`;

/** A real mail server on this machine. */
export async function openMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    key,
    cert: certificate,
    logger: false,
    authOptional: true,
    onAuth({ username, password }, _session, done) {
      if (username === mailLogin.user && password === mailLogin.pass) done(null, { user: username });
      else done(new Error('Invalid user name or password'));
    },
    onData(stream, { envelope, secure, user }, done) {
      const receive = async () => {
        const mail = parse(await text(stream));
        received.push({ ...mail, to: envelope.rcptTo[0]!.address, isEncrypted: secure, user: user as undefined });
        done();
      };
      void receive();
    },
    ...options,
  });
  // A client that does not trust the certificate ends the connection.
  server.on('error', () => {});
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    port: (listening.address() as AddressInfo).port,
    received,
    connections: () => server.connections.size,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      for (const connection of server.connections) connection.close();
      await closed.promise;
    },
  };
}

function parse(raw: string) {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n\s+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line): [string, string] => {
      const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
      return [
        name.toLowerCase(),
        value.replaceAll(/\?= =\?/g, '?==?').replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, word),
      ];
    }),
  );
  const body = raw.slice(end + 4);
  const encoding = headers.get('content-transfer-encoding');
  const decoded = encoding === 'quoted-printable' ? quoted(body) : encoding === 'base64' ? base64(body) : body;
  return { headers, text: decoded.replaceAll('\r\n', '\n') };
}

const word = (_: string, kind: string, value: string) =>
  kind.toUpperCase() === 'B' ? base64(value) : quoted(value.replaceAll('_', ' '));
const base64 = (value: string) => Buffer.from(value, 'base64').toString();

function quoted(value: string): string {
  const bytes = value
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
