/**
 * Writes one JSON object per line. Callers must not pass keys, cookies or bodies; passwords and codes of links in URLs are
 * masked, and long texts are cut.
 */
import { logLevels, type LogLevel, type LogRequests } from './config/config.ts';
import { maskPasswords } from './config/mask-passwords.ts';
import { Problem, type FailedRequest, type Report } from './problem.ts';
import type { AnsweredRequest } from './http/request-bindings.ts';

/** In characters. Clients choose their paths, and an error may quote what a client has sent. */
const longest = { path: 200, url: 200, other: 8000 };

type Facts = Record<string, unknown>;
/** Expensive facts are passed as a function, which is called only if the line is written. */
export type Log = Record<Exclude<LogLevel, 'silent'>, (message: string, facts?: Facts | (() => Facts)) => void>;

export function createLog({
  level,
  now,
  write,
}: {
  level: LogLevel;
  now: () => Date;
  write: (line: string) => void;
}): Log {
  const line = (lineLevel: LogLevel) => {
    if (logLevels.indexOf(lineLevel) > logLevels.indexOf(level)) return () => {};
    return (message: string, facts: Facts | (() => Facts) = {}) => {
      const more = typeof facts === 'function' ? facts() : facts;
      write(`${JSON.stringify({ at: now().toISOString(), level: lineLevel, message, ...more }, shown)}\n`);
    };
  };
  return { error: line('error'), warn: line('warn'), info: line('info'), debug: line('debug') };
}

/** The codes of links in addresses, also with a mistyped end. */
const linkCodes = /(?<![\w-])[\w-]{40,64}(?![\w-])/g;

/** An escaped `#`: another program has rewritten a link whose code is in the fragment. */
const escapedFragment = /%(?:25)*23.*/;

/** A value of a log line. Passwords are masked before the text is cut, because the end of one shows that it is one. */
function shown(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const masked = maskPasswords(value);
  const text =
    name === 'path' || name === 'url' ? masked.replaceAll(linkCodes, '***').replace(escapedFragment, '%23***') : masked;
  const most = longest[name as keyof typeof longest] ?? longest.other;
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
}

/** An error as facts for a log line, with its causes. */
function errorFacts(error: unknown): Facts {
  if (!(error instanceof Error)) return { error: String(error) };
  const { message, stack, cause } = error;
  return { error: message, stack, ...(cause !== undefined && { cause: errorFacts(cause) }) };
}

/**
 * Logs one line per failed request. `info`: an error of the client; `warn`: an expected failure, such as a tile server
 * that is down; `error`: everything else, with its cause. Errors of one client with one code are logged together when they are
 * many: each would cost its client less than the line costs the disk.
 */
export function createReport(log: Log): Report {
  const ofClients = createClientErrors((request) => log.info('request failed', { ...request }));
  return (error, request) => {
    if (!request) return log.error('background work failed', errorFacts(error));
    if (!(error instanceof Problem)) return log.error('request failed', { ...request, ...errorFacts(error) });
    const { cause } = error;
    const because = cause === undefined ? {} : { cause: errorFacts(cause) };
    if (request.status < 500) return ofClients({ ...request, ...because });
    return log.warn('request failed', { ...request, ...because });
  };
}

const togetherMs = 60_000;
/** In clients and codes. Those of all others are one. */
const clientsAtMost = 1000;
/** In lines of a client and a code in a minute, before the others are one line. Who is refused because of a rate has many of them. */
const linesOfClient = 10;
const linesBeyondRate = 1;

type ClientError = FailedRequest & { cause?: Facts };

/**
 * Returns a function that writes the first errors of a device, a user or an address with a code, and the others of a minute
 * together: the last one, with their number as `times`.
 */
function createClientErrors(write: (request: ClientError & { times?: number }) => void) {
  interface Minute {
    written: number;
    times: number;
    last: ClientError | undefined;
  }
  const minutes = new Map<string, Minute>();

  /** `written`: a line of the minute before is one of this minute. */
  function begin(name: string, written: number): Minute {
    const minute: Minute = { written, times: 0, last: undefined };
    minutes.set(name, minute);
    setTimeout(() => {
      minutes.delete(name);
      if (!minute.last) return;
      write({ ...minute.last, times: minute.times });
      begin(name, 1);
    }, togetherMs).unref();
    return minute;
  }

  return (request: ClientError) => {
    const { device, user, address, code } = request;
    const name = `${device ?? user ?? address} ${code}`;
    const counted = minutes.has(name) || minutes.size < clientsAtMost ? name : code;
    const minute = minutes.get(counted) ?? begin(counted, 0);
    if (minute.written < (request.status === 429 ? linesBeyondRate : linesOfClient)) {
      minute.written += 1;
      write(request);
    } else {
      minute.times += 1;
      minute.last = request;
    }
  };
}

const bufferedMs = 200;
/** In characters. */
const mostBuffered = 64 * 1024;

/** Collects lines that need not be written at once. Other lines are written after them. */
export function createOutput(write: (text: string) => void) {
  let buffer = '';
  let timer: NodeJS.Timeout | undefined;

  function flush() {
    clearTimeout(timer);
    timer = undefined;
    if (buffer === '') return;
    const text = buffer;
    buffer = '';
    write(text);
  }

  return {
    write(line: string): void {
      flush();
      write(line);
    },
    writeSoon(line: string): void {
      buffer += line;
      if (buffer.length > mostBuffered) flush();
      else timer ??= setTimeout(flush, bufferedMs);
    },
    /** Before the process exits. */
    flush,
  };
}

const slowMs = 1000;

/**
 * Returns a function that writes a line for a request whose response begins; undefined if no request has one. Failed
 * requests also have a line by `createReport`. A template, because `JSON.stringify` and the mask for passwords take three
 * times as long. No part of it needs to be escaped: none is chosen by the client, except for a user name, which has only
 * letters, digits, _ and -.
 */
export function createRequestLine(options: {
  which: LogRequests;
  level: LogLevel;
  now: () => Date;
  write: (line: string) => void;
}): ((request: AnsweredRequest) => void) | undefined {
  const { which, level, now, write } = options;
  if (which === 'failed' || logLevels.indexOf(level) < logLevels.indexOf('info')) return undefined;
  const least = which === 'all' ? 0 : slowMs;
  return ({ requestId, traceId, method, operation, status, ms, bytes, user, keyId, address }) => {
    if (ms < least) return;
    write(
      `{"at":"${now().toISOString()}","level":"info","message":"request","request_id":"${requestId()}"` +
        (traceId === undefined ? '' : `,"trace_id":"${traceId}"`) +
        `,"method":"${method}","operation":"${operation}","status":${status},"ms":${Math.round(ms * 10) / 10}` +
        (bytes === undefined ? '' : `,"bytes":${bytes}`) +
        (user === undefined ? '' : `,"user":"${user}"`) +
        (keyId === undefined ? '' : `,"key_id":"${keyId}"`) +
        `,"address":"${address()}"}\n`,
    );
  };
}
