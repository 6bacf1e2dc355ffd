import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useStableFunctions } from '../../ui/browser/stable-functions.ts';
import { useDryRun } from './check/use-dry-run.ts';
import { ownedQuery } from './owned.api.ts';
import { checkRow, type ImportError, type Owned } from './rows/check-row.ts';
import type { Uses } from './rows/column-uses.ts';
import { withFix } from './rows/dry-run.ts';
import type { FileError, ImportSource } from './use-import-source.ts';

const noDevices: Owned = new Map();
const noFixes = {};
const noUses: Uses = [];

/** The dry run of all rows of the file. What the user leaves out of it is in `useImportedRows`. */
export function useImportCheck(given: ImportSource) {
  const { source, error, change, fail } = given;
  const { uses = noUses } = source?.input ?? {};
  const { owned, isReading, isUnknown, isNotCompared } = useOwned({ ...given, hasIds: uses.includes('id') });
  const {
    check: run,
    part,
    found,
    update,
  } = useDryRun({
    input: source?.input ?? null,
    owned: isReading ? undefined : owned,
    fixes: source?.fixes ?? noFixes,
    names: source?.chosen.head.names ?? [],
    onBetterInput: (input) =>
      change((now) => ({
        ...now,
        input,
        foreignIds: input.uses === now.input.uses ? now.foreignIds : now.input.uses.indexOf('id'),
      })),
    onError: fail,
  });
  return {
    /** Null while the file is being read, or cannot be read yet. */
    run,
    /** The part of the file that has been read. */
    part,
    /** What only the whole file shows; null until it has been read once. */
    found,
    /** The devices that rows with an id may change; undefined until they are known. */
    owned,
    /** The user's devices could not be loaded, so that their names are not compared with those of the rows. */
    isNotCompared,
    /** Why the file cannot be read, or not be checked. */
    error: error ?? (isUnknown ? ('not_known' satisfies FileError) : null),
    ...useStableFunctions({
      /**
       * Corrects a row and updates the counts. Another dry run is necessary only if a newer one has found no error in the row
       * while the user was correcting it. Returns the errors that the row still has.
       */
      fix(line: number, fields: string[]): ImportError[] {
        const record = { line, fields };
        const seen = run?.ids ?? new Map();
        const result = checkRow({ ...source?.input, record, uses, owned: owned ?? noDevices, seen });
        if (result.kind === 'invalid') return result.errors;
        const isListed = run?.listed.some((row) => row.line === line);
        change((now) => ({
          ...now,
          fixes: { ...now.fixes, [line]: fields },
          input: isListed ? now.input : { ...now.input },
        }));
        if (isListed) update((now) => withFix({ run: now, record, uses, result }));
        return [];
      },
    }),
  };
}

export type ImportCheck = ReturnType<typeof useImportCheck>;

/**
 * The user's devices, which rows with an id may change, and with which the names of the others are compared. Fetched for each
 * file, before its import changes them.
 */
function useOwned(options: Pick<ImportSource, 'source' | 'hasStarted'> & { hasIds: boolean }) {
  const { source, hasStarted, hasIds } = options;
  const isWanted = source !== null && !hasStarted;
  const { data, error, isFetching } = useQuery({
    ...ownedQuery,
    enabled: isWanted,
    // An import before may have added some.
    staleTime: 0,
    // A new dry run would close the dialog in which the user corrects a row.
    refetchOnWindowFocus: false,
  });
  const known = useMemo(() => data && new Map(data.map((device) => [device.id, device])), [data]);
  const isMissing = !known && error !== null;
  return {
    /** Undefined until they are known. */
    owned: known ?? (hasIds || (isWanted && !isMissing) ? undefined : noDevices),
    isReading: isWanted && isFetching,
    isUnknown: isMissing && hasIds,
    isNotCompared: isMissing && !hasIds,
  };
}
