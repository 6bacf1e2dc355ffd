/** Reads the values of settings. Each function returns undefined for a text that is none. */
import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { hourMs } from '../limits/durations.ts';

export const megabyte = 1_000_000;

/** Where a door of the server listens. */
export interface Address {
  host: string;
  port: number;
}

/** `prefix`: bits. */
export interface Network {
  address: string;
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

export function readPort(text: string) {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

/** Returns the interval in ms. */
export function readInterval(text: string) {
  const [, count, unit] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (unit === 'd' ? 24 : 1) * hourMs;
}

export function readCount(text: string) {
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;
}

export function readAddress(text: string): Address | undefined {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  const number = readPort(port);
  return number !== undefined && isIP(host) === (bracketed ? 6 : 4) ? { host, port: number } : undefined;
}

export function readOrigin(text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain =
    url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username;
  return plain ? url.origin : undefined;
}

/** Exact ones, as browsers send them: a wildcard would be a part of a host name. */
export function readOrigins(text: string) {
  const origins = text.split(',').map((name) => (name.includes('*') ? undefined : readOrigin(name.trim())));
  return origins.every((origin) => origin !== undefined) ? origins : undefined;
}

export const isPostgres = (url: string) => /^postgres(ql)?:/.test(url);

export function readPostgresUrl(text: string) {
  return isPostgres(text) && URL.canParse(text) && new URL(text).pathname.length > 1 ? text : undefined;
}

export function readDatabaseUrl(text: string) {
  if (isPostgres(text)) return readPostgresUrl(text);
  if (!/^file:\/\/\/[^?#]+$/.test(text)) return undefined;
  try {
    fileURLToPath(text);
    return text;
  } catch {
    return undefined;
  }
}

/** `on` is 1, `off` is Infinity; undefined if it is not a factor. */
export function readFactor(text: string) {
  if (text === 'on') return 1;
  if (text === 'off') return Number.POSITIVE_INFINITY;
  const factor = Number(text);
  return Number.isFinite(factor) && factor > 0 ? factor : undefined;
}

/** Returns bytes; `off` is Infinity. */
export function readMegabytes(text: string) {
  if (text === 'off') return Number.POSITIVE_INFINITY;
  const megabytes = Number(text);
  return Number.isFinite(megabytes) && megabytes > 0 ? megabytes * megabyte : undefined;
}

export function readProxies(text: string) {
  const names = text.split(',').map((name) => name.trim());
  const networks = names.flatMap((name) => (name === 'loopback' ? ['127.0.0.0/8', '::1'] : [name])).map(readNetwork);
  return networks.every((network) => network !== undefined) ? networks : undefined;
}

/** An address, or a network in CIDR notation. */
function readNetwork(text: string): Network | undefined {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)]!;
  const prefix = Number(length ?? bits);
  return bits === 0 || prefix > bits ? undefined : { address, prefix, family: bits === 32 ? 'ipv4' : 'ipv6' };
}

export function oneOf<const T extends readonly string[]>(allowed: T) {
  return (text: string): T[number] | undefined => allowed.find((entry) => entry === text);
}
