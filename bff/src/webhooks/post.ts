/** Sends a request to an address that a user has chosen: never to the server's own network, and bounded in time and bytes. */
import { Resolver } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';

const timeoutMs = 10_000;
const shownLength = 200;

/** The status of the response; null if there was none. `answer`: why not, or how the response begins. */
export interface PostResult {
  status: number | null;
  answer: string;
}
export type Post = ReturnType<typeof createPost>;

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
    readAddresses(name).then(
      (found) => {
        if (found.every(({ address }) => isPublic(address))) respond(null, found);
        else respond(new PostError('private_address'), []);
      },
      () => respond(new PostError('dns'), []),
    );
  };

  /** Does not throw. A redirect is not followed. */
  return function post(sent: { url: string; headers: Record<string, string>; body: string }): Promise<PostResult> {
    const { promise, resolve } = Promise.withResolvers<PostResult>();
    const fail = ({ name, message, code = '' }: Error & { code?: string }) =>
      resolve({
        status: null,
        answer: name === 'PostError' ? message : (failures[code] ?? failures[name] ?? 'no_connection'),
      });
    const url = new URL(sent.url);
    const host = url.hostname.replaceAll(/[[\]]/g, '');
    if (!allowsPrivate && isIP(host) && !isPublic(host))
      return Promise.resolve({ status: null, answer: 'private_address' });
    const { request } = url.protocol === 'https:' ? https : http;
    const headers = { ...sent.headers, 'content-length': String(Buffer.byteLength(sent.body)) };
    const options = {
      ...{ method: 'POST', headers, agent: false, signal: AbortSignal.timeout(timeoutMs) },
      ...(!allowsPrivate && { lookup }),
    };
    request(url, options, (response) => {
      const { statusCode: status = 0 } = response;
      let text = '';
      const end = () => {
        response.destroy();
        const isRedirect = status >= 300 && status < 400;
        resolve({ status, answer: isRedirect ? 'redirect' : text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, shownLength) });
      };
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (text.length >= shownLength) end();
      });
      response.on('end', end);
      response.on('error', fail);
    })
      .on('error', fail)
      .end(sent.body);
    return promise;
  };
}

class PostError extends Error {
  override name = 'PostError';
}
/** By the codes and names of errors. */
const failures: Record<string, string> = {
  AbortError: 'timeout',
  TimeoutError: 'timeout',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
};

/** Not by the system's resolver, whose few threads also read files and hash. */
const resolver = new Resolver({ timeout: 2000, tries: 2 });

/** @throws if the name has none */
async function addressesOf(name: string) {
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (addresses.length === 0) throw new PostError('dns');
  return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
}

/** Everything but 2000::/3, and parts of it that lead to other networks (RFC 6890). */
const notPublic = new BlockList();
for (const [network, prefix] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
  ] as const),
  ...([
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ] as const),
])
  notPublic.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ...([
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
  ] as const),
])
  notPublic.addSubnet(network, prefix, 'ipv6');
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

export const isPublic = (address: string): boolean =>
  isIPv6(address) ? global6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6') : !notPublic.check(address);
