import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { shareHook } from '../../ui/share-hook.tsx';
import { useDryRun } from './check/use-dry-run.ts';
import { ownedQuery } from './owned.api.ts';
import { checkRow, type ImportError, type Owned } from './rows/check-row.ts';
import { withFix, withoutNew, withoutNewer } from './rows/dry-run.ts';
import { useImportColumns } from './use-import-columns.ts';
import { useImportSource, type FileError } from './use-import-source.ts';

const noDevices: Owned = new Map();
const noFixes = {};
const noLines: readonly number[] = [];

/** The dry run of the file: what the import would do with each row. */
export const [ImportCheckProvider, useImportCheck] = shareHook(function useImportCheckState() {
  const { source, error, change, fail } = useImportSource();
  const { uses } = useImportColumns();
  const { owned, isReading, isUnknown, isNotCompared } = useOwned();
  const { fixes = noFixes, leavesNewer = false, leavesRepeated = false, leavesKnown = false } = source ?? {};
  const run = useDryRun({
    input: source?.input ?? null,
    owned: isReading ? undefined : owned,
    fixes,
    names: source?.chosen.head.names ?? [],
    onBetterInput: (input) =>
      change((now) => ({
        ...now,
        input,
        foreignIds: input.uses === now.input.uses ? now.foreignIds : now.input.uses.indexOf('id'),
      })),
    onError: fail,
  });
  const { check: whole } = run;
  /** The lines of new devices that are left out. */
  const omitted = useMemo(
    () =>
      whole
        ? [
            ...new Set([
              ...(leavesRepeated ? whole.repeated : []),
              ...(leavesKnown ? whole.known.map(({ line }) => line) : []),
            ]),
          ]
        : noLines,
    [whole, leavesRepeated, leavesKnown],
  );
  const check = useMemo(() => {
    const kept = whole && leavesNewer ? withoutNewer(whole) : whole;
    return kept && omitted.length > 0 ? withoutNew(kept, omitted) : kept;
  }, [whole, leavesNewer, omitted]);
  return {
    /** Null while the file is being read, or cannot be read yet. */
    check,
    /** The part of the file that has been read. */
    part: run.part,
    /** What only the whole file shows; null until it has been read once. */
    found: run.found,
    /** The devices that rows with an id may change; undefined until they are known. */
    owned,
    /** How many rows are left out because their device was changed after the export. */
    leftOut: whole && leavesNewer ? whole.newer.length : 0,
    omitted,
    /** How many rows of new devices are left out, each counted for one reason. */
    left: {
      repeated: leavesRepeated ? (whole?.repeated.length ?? 0) : 0,
      known: omitted.length - (leavesRepeated ? (whole?.repeated.length ?? 0) : 0),
    },
    /** The user's devices could not be loaded, so that their names are not compared with those of the rows. */
    isNotCompared,
    /** Why the file cannot be read, or not be checked. */
    error: error ?? (isUnknown ? ('not_known' satisfies FileError) : null),
    /**
     * Corrects a row and updates the counts. Another dry run is necessary only if a newer one has found no error in the row
     * while the user was correcting it. Returns the errors that the row still has.
     */
    fix(line: number, fields: string[]): ImportError[] {
      const record = { line, fields };
      const seen = whole?.ids ?? new Map();
      const result = checkRow({ ...source?.input, record, uses, owned: owned ?? noDevices, seen });
      if (result.kind === 'invalid') return result.errors;
      const isListed = whole?.listed.some((row) => row.line === line);
      change((now) => ({
        ...now,
        fixes: { ...now.fixes, [line]: fields },
        input: isListed ? now.input : { ...now.input },
      }));
      if (isListed) run.update((now) => withFix({ run: now, record, uses, result }));
      return [];
    },
  };
});

/** Leaves rows out of the import, or takes them back. */
export function useLeaveOut() {
  const { change } = useImportSource();
  return {
    /** Those whose device was changed after the export. */
    leaveNewer: (leavesNewer: boolean) => change((now) => ({ ...now, leavesNewer })),
    /** Those that are identical to another one. */
    leaveRepeated: (leavesRepeated: boolean) => change((now) => ({ ...now, leavesRepeated })),
    /** Those that have the name of a device of the user. */
    leaveKnown: (leavesKnown: boolean) => change((now) => ({ ...now, leavesKnown })),
  };
}

/**
 * The user's devices, which rows with an id may change, and with which the names of the others are compared. Fetched for each
 * file, before its import changes them.
 */
function useOwned() {
  const { source, hasStarted } = useImportSource();
  const hasIds = useImportColumns().uses.includes('id');
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
