/** One JSON object a line. A leaf; never gets a key, a cookie or a body. */
import { logLevels } from './config.ts';
import type { LogLevel } from './config.ts';

export type Log = Record<Exclude<LogLevel, 'silent'>, (message: string, facts?: Record<string, unknown>) => void>;

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
    (message: string, facts: Record<string, unknown> = {}) => {
      if (logLevels.indexOf(of) > logLevels.indexOf(level)) return;
      write(`${JSON.stringify({ at: now().toISOString(), level: of, message, ...facts })}\n`);
    };
  return { error: line('error'), warn: line('warn'), info: line('info'), debug: line('debug') };
}

/** An error as facts of a log line. */
export function errorFacts(error: unknown): Record<string, unknown> {
  return error instanceof Error ? { error: error.message, stack: error.stack } : { error: String(error) };
}
