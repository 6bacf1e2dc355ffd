/** Commands of the program `swarmdeck` that capabilities have (`cli.ts`). */
import type { Operator } from '../capabilities/operator/operator.ts';

export interface Command {
  /** Its line in the list of all commands: what follows its name, and what it does. */
  usage: readonly [takes: string, does: string];
  /** Its options. */
  takes: readonly string[];
  /** Returns the exit status. */
  run: (asked: Asked) => Promise<number>;
}

export interface Asked {
  /** What follows the name of the command. */
  args: readonly string[];
  options: { user?: string | undefined; remove?: boolean | undefined };
  connect: () => Promise<{ operator: Operator } & AsyncDisposable>;
}

/** The message is printed with the list of all commands. */
export class UsageError extends Error {}
/** The message is printed. */
export class CommandError extends Error {}
