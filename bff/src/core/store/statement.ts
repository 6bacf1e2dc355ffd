/** Statements of the store, and their results. */
import type { Shape } from './shape.ts';

export type Value = string | number | bigint | Uint8Array | null;
export type Row = Record<string, Value>;

/** SQL that SQLite and PostgreSQL both understand, and the values of its parameters `$1`, `$2`, ... */
export interface Sql {
  sql: string;
  params: readonly Value[];
}

/** Builds SQL from parts: a value becomes the next parameter, the parameters of nested SQL are numbered again. */
export const sql = (texts: TemplateStringsArray, ...values: readonly (Value | Sql)[]): Sql =>
  combine(texts, (index) => texts[index]!, values);

const isSql = (value: Value | Sql): value is Sql => typeof value === 'object' && value !== null && 'sql' in value;

/** SQL without parameters, never a user's text. */
export const raw = (text: string): Sql => ({ sql: text, params: [] });

export const join = (parts: readonly Sql[], separator: string): Sql =>
  combine(separator, (index) => (index === 0 || index === parts.length ? '' : separator), parts);

/** Texts by their parts: each is built once. To build, copy and hash a new text took 5 % of the processor time of an update. */
class Texts extends Map<unknown, Texts> {
  text: string | undefined;
}
/** Bytes of texts and their parts, after which they are built again: lists of values have texts of any length. */
const mostRemembered = 4 * 1024 * 1024;
const bytesOfPart = 200;
const parameter = Symbol('parameter');
let known = new Texts();
let remembered = 0;

function remember(bytes: number): void {
  remembered += bytes;
  if (remembered <= mostRemembered) return;
  known = new Texts();
  remembered = 0;
}

function partOf(texts: Texts, part: unknown): Texts {
  const before = texts.get(part);
  if (before) return before;
  const added = new Texts();
  texts.set(part, added);
  remember(bytesOfPart + (typeof part === 'string' ? part.length : 0));
  return added;
}

/** Values with a text before each and after the last one. `all`: the same for the same texts. */
function combine(all: unknown, textAt: (index: number) => string, values: readonly (Value | Sql)[]): Sql {
  const params: Value[] = [];
  let texts = partOf(known, all);
  for (const value of values) {
    if (isSql(value)) {
      texts = partOf(partOf(texts, value.sql), value.params.length);
      params.push(...value.params);
    } else {
      texts = partOf(texts, parameter);
      params.push(value);
    }
  }
  if (texts.text === undefined) {
    texts.text = build(textAt, values);
    remember(texts.text.length);
  }
  return { sql: texts.text, params };
}

function build(textAt: (index: number) => string, values: readonly (Value | Sql)[]): string {
  let text = textAt(0);
  let count = 0;
  for (const [index, value] of values.entries()) {
    text += isSql(value) ? renumbered(value, count) : `$${count + 1}`;
    text += textAt(index + 1);
    count += isSql(value) ? value.params.length : 1;
  }
  return text;
}

/** The text with its parameters after `before` others. */
const renumbered = ({ sql: text, params }: Sql, before: number): string =>
  before === 0 || params.length === 0 ? text : text.replaceAll(/\$(\d+)/g, (_, n) => `$${before + Number(n)}`);

/** Values with commas between them, for `IN (...)`. */
export const listOf = (values: readonly Value[]): Sql =>
  join(
    values.map((value) => sql`${value}`),
    ', ',
  );

export const always: Sql = raw('true');

export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0
    ? always
    : join(
        conditions.map((condition) => sql`(${condition})`),
        ' AND ',
      );
}

/** One read. */
export interface Query {
  sql: string;
  params?: readonly Value[];
  /** Its cost grows with the number of rows. SQLite runs it in a thread, so that other requests do not wait for it. */
  isLong?: boolean;
  /** What it returns instead of rows. It runs in the thread, on both stores. */
  shape?: Shape;
  /**
   * Who asks: users take turns for the connections of PostgreSQL. The first read of a request has it. What has none does not wait for
   * a turn: it is for the server itself, or one of few.
   */
  user?: string | undefined;
}

export interface Statement<Failure extends string = never> {
  sql: string;
  params?: readonly Value[];
  /** Who has caused the write: users take turns (write-turns.ts). The first statement of a write that has one counts. */
  user?: string;
  /** How many rows it writes at most, if they may be many: a commit takes less with it. */
  rows?: number;
  /** The whole write is undone, and fails with this name, unless this statement returned or touched a row. */
  orFail?: Failure;
  /** The write returns the rows of this statement. At most one of a write. */
  isResult?: true;
  /** A check, which changes nothing. One commit may execute only the first or last of equal ones. */
  once?: 'first' | 'last';
  /**
   * Such statements commit one after the other, on all processes, so that the numbers of their rows are in the order of the
   * commits. A write of this statement alone, which appends nothing to the feed. On PostgreSQL it has a commit of its own:
   * its lock is not held while others wait for theirs, and a failure of others does not undo it.
   */
  isInOrder?: true;
  /** An `INSERT INTO … VALUES ($1, …)` and nothing else. Those with the same text in one commit may be one statement. */
  isPlainInsert?: boolean;
}

/** A whole write, as the stores receive it. */
export type Write = readonly Statement<string>[];

/** `rows`: those of the statement with `isResult`. `failed`: which expectation was not met; then nothing was written. */
export type WriteResult<Failure extends string = string> = { ok: true; rows: Row[] } | { ok: false; failed: Failure };

/** The first row of a write that returned one. `R` declares its columns and is not checked. */
export const firstRow = <R>(rows: readonly Row[]): R => rows[0] as R;

/** All rows of a write. `R` declares their columns and is not checked. */
export const allRows = <R>(rows: readonly Row[]) => rows as readonly R[];

/** `away`: the database cannot be used right now. `unexpected`: a mistake in a statement, or an unknown error. */
export type StorageFault = 'constraint' | 'full' | 'away' | 'unexpected';

/** Thrown by every read and write. Nothing of the write is on disk. */
export class StorageError extends Error {
  readonly kind: StorageFault;
  constructor(kind: StorageFault, message: string) {
    super(message);
    this.name = 'StorageError';
    this.kind = kind;
  }
}
