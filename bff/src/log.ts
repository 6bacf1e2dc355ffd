/**
 * Writes one JSON object per line. Callers must not pass keys, cookies or bodies; passwords in URLs are masked, and long
 * texts are cut.
 */
import { logLevels, maskPasswords, type LogLevel } from './config/config.ts';
import { Problem, type Report } from './http/problem.ts';

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
  const line =
    (of: LogLevel) =>
    (message: string, facts: Facts | (() => Facts) = {}) => {
      if (logLevels.indexOf(of) > logLevels.indexOf(level)) return;
      const more = typeof facts === 'function' ? facts() : facts;
      write(`${JSON.stringify({ at: now().toISOString(), level: of, message, ...more }, shown)}\n`);
    };
  return { error: line('error'), warn: line('warn'), info: line('info'), debug: line('debug') };
}

/** A value of a log line. Passwords are masked before the text is cut, because the end of one shows that it is one. */
function shown(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = maskPasswords(value);
  const most = longest[name as keyof typeof longest] ?? longest.other;
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
}

/** An error as facts for a log line, with its causes. */
export function errorFacts(error: unknown): Facts {
  if (!(error instanceof Error)) return { error: String(error) };
  const { message, stack, cause } = error;
  return { error: message, stack, ...(cause !== undefined && { cause: errorFacts(cause) }) };
}

/**
 * Logs one line per failed request. `info`: an error of the client; `warn`: an expected failure, such as a tile server
 * that is down; `error`: everything else, with its cause.
 */
export function createReport(log: Log): Report {
  return (error, request) => {
    if (!request) return log.error('background work failed', errorFacts(error));
    if (!(error instanceof Problem)) return log.error('request failed', { ...request, ...errorFacts(error) });
    const { cause } = error;
    const because = cause === undefined ? {} : { cause: errorFacts(cause) };
    return log[request.status < 500 ? 'info' : 'warn']('request failed', { ...request, ...because });
  };
}
