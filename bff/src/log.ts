/** One JSON object a line. A leaf; never gets a key, a cookie or a body. */
import { logLevels } from './config.ts';
import type { LogLevel } from './config.ts';

type Facts = Record<string, unknown>;
/** Facts that are not free are a function, called when the line is written. */
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
      write(
        `${JSON.stringify({ at: now().toISOString(), level: of, message, ...(typeof facts === 'function' ? facts() : facts) })}\n`,
      );
    };
  return { error: line('error'), warn: line('warn'), info: line('info'), debug: line('debug') };
}

/** An error as facts of a log line. */
export function errorFacts(error: unknown): Record<string, unknown> {
  return error instanceof Error ? { error: error.message, stack: error.stack } : { error: String(error) };
}
