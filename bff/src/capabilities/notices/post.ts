/** Sends a request to an address that a user has chosen: never to the server's own network, and bounded in time and bytes. */
import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { deliveryLimits } from './limits.ts';

const { timeoutMs, answerMs, answerLength, mostInterim } = deliveryLimits;

/** The status of the response; null if there was none. `answer`: why not, or how a response begins that is no success. */
export interface PostResult {
  status: number | null;
  answer: string;
}

/** `allowsPrivate`: also to private and loopback addresses, and names that only this machine knows. */
export function createPost({
  allowsPrivate,
  readAddresses = addressesOf,
}: {
  allowsPrivate: boolean;
  readAddresses?: typeof addressesOf;
}) {
  /** The connection uses the addresses that were checked, so a name cannot have others a moment later. */
  const lookup: LookupFunction = (name, _options, respond) => {
    readAddresses(name)
      .catch((error: unknown) => {
        if (allowsPrivate) return systemLookup(name, { all: true });
        throw error;
      })
      .then(
        (found) => {
          if (allowsPrivate || found.every(({ address }) => isPublic(address))) respond(null, found);
          else respond(new PostError('private_address'), []);
        },
        () => respond(new PostError('dns'), []),
      );
  };

  /**
   * Does not throw. A redirect is not followed. The status decides: a success and a redirect end with it, and of another response,
   * which the owner is shown, only the beginning is waited for.
   */
  return function post(outgoing: {
    url: string;
    headers: Record<string, string>;
    body: string | Uint8Array;
    signal?: AbortSignal;
  }): Promise<PostResult> {
    const { promise, resolve } = Promise.withResolvers<PostResult>();
    const url = new URL(outgoing.url);
    const host = url.hostname.replaceAll(/[[\]]/g, '');
    if (!allowsPrivate && isIP(host) && !isPublic(host))
      return Promise.resolve({ status: null, answer: 'private_address' });
    const { request } = url.protocol === 'https:' ? https : http;
    const headers = { ...outgoing.headers, 'content-length': String(Buffer.byteLength(outgoing.body)) };
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = outgoing.signal ? AbortSignal.any([timeout, outgoing.signal]) : timeout;
    const fail = (error?: Error) => {
      const known = error instanceof PostError ? error.message : undefined;
      resolve({ status: null, answer: known ?? (signal.aborted ? 'timeout' : 'no_connection') });
    };
    let interim = 0;
    const sending = request(url, { method: 'POST', headers, lookup, agent: false, signal }, (response) => {
      const { statusCode: status = 0 } = response;
      let text = '';
      const finish = (answer = text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, answerLength)) => {
        clearTimeout(answerTimer);
        response.destroy();
        resolve({ status, answer });
      };
      const answerTimer = setTimeout(finish, answerMs);
      if (status < 300) return finish('');
      if (status < 400) return finish('redirect');
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length >= answerLength) finish();
      });
      for (const event of ['end', 'error', 'close']) response.on(event, () => finish());
    })
      // If their number had no limit, they would take the main thread until the time is over.
      .on('information', ({ statusCode }) => {
        interim += 1;
        if (interim <= mostInterim) return;
        resolve({ status: statusCode, answer: '' });
        sending.destroy();
      })
      .on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        resolve({ status: statusCode ?? 0, answer: '' });
      })
      .on('error', fail)
      .on('close', () => setImmediate(fail))
      .end(outgoing.body);
    return promise;
  };
}

class PostError extends Error {}
/** Resolves without the system's resolver, whose few threads also read files and hash. */
const resolver = new Resolver({ timeout: 2000, tries: 2 });

/** @throws if the name has none */
async function addressesOf(name: string) {
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (addresses.length === 0) throw new PostError('dns');
  return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
}

/** What of 0.0.0.0/0 and of 2000::/3 leads to other networks (RFC 6890). */
const notPublic = blockListOf(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 ' +
    '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 2001::/23 2001:db8::/32 2002::/16 3fff::/20',
);
const global6 = blockListOf('2000::/3');

function blockListOf(networks: string): BlockList {
  const list = new BlockList();
  for (const network of networks.split(' ')) {
    const [address, prefix] = network.split('/') as [string, string];
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}

export const isPublic = (address: string): boolean =>
  isIPv6(address) ? global6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6') : !notPublic.check(address);
