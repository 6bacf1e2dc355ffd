/** The tables of the server: the rows of the core, and those that the capabilities declare. They are put together once, at the start. */
import * as declared from '../capabilities.contract.ts';
import type { Declaration } from './declaration.ts';

type Declared = (typeof declared)[keyof typeof declared];
/** All members of a union at once. */
export type Every<Union> = [Union] extends [never]
  ? object
  : (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
    ? All
    : never;
type TableKind = Exclude<keyof Declaration, 'tablesOfUser' | 'passwordPaths' | 'toSetUp' | 'limitsTable' | 'stored'>;
type Rows<Kind extends TableKind> = Every<Extract<Declared, Record<Kind, unknown>>[Kind]>;

/**
 * Returns the rows of the core with those of the capabilities.
 * @throws Error if two of them have a row with the same name
 */
export function withCapabilities<Kind extends TableKind, Core extends NonNullable<Declaration[Kind]>>(
  kind: Kind,
  core: Core,
): Core & Rows<Kind> {
  const rows: Record<string, unknown> = {};
  const owners = new Map<string, string>();
  for (const [owner, declaration] of Object.entries<Declaration>({ 'the core': { [kind]: core }, ...declared }))
    for (const [name, row] of Object.entries(declaration[kind] ?? {})) {
      const other = owners.get(name);
      if (other) throw new Error(`${kind}: both ${other} and ${owner} have a row ${name}`);
      owners.set(name, owner);
      rows[name] = row;
    }
  return rows as Core & Rows<Kind>;
}

const namesOf = (kind: 'tablesOfUser' | 'passwordPaths' | 'toSetUp'): readonly string[] =>
  Object.values<Declaration>(declared).flatMap((declaration) => declaration[kind] ?? []);

/** The tables of the page of limits that capabilities have. */
export const limitsTables = Object.values<Declaration>(declared).flatMap(({ limitsTable }) => limitsTable ?? []);
/** What else may be stored of capabilities. */
export const storedRows = Object.values<Declaration>(declared).flatMap(({ stored }) => stored ?? []);
/** Tables whose rows end with the account of their `user_id`. */
export const tablesOfUser = namesOf('tablesOfUser');
/** Paths of the service that take Basic authentication. */
export const passwordPaths: ReadonlySet<string> = new Set(namesOf('passwordPaths'));
/** Endpoints for a session that has to set up a second factor. */
export const toSetUp = namesOf('toSetUp');
