import { useMemo } from 'react';
import { useStableFunctions } from '../../ui/browser/stable-functions.ts';
import { withoutNew, withoutNewer } from './rows/dry-run.ts';
import type { ImportCheck } from './use-import-check.ts';
import type { ImportSource } from './use-import-source.ts';

const noLines: readonly number[] = [];

interface ImportedRowsOptions {
  source: Pick<ImportSource, 'source' | 'change'>;
  check: Pick<ImportCheck, 'run'>;
}

/** The rows that are imported, without those that the user leaves out. */
export function useImportedRows({ source: { source, change }, check: { run } }: ImportedRowsOptions) {
  const { leavesNewer = false, leavesRepeated = false, leavesKnown = false } = source ?? {};
  const omitted = useMemo(
    () =>
      run
        ? [
            ...new Set([
              ...(leavesRepeated ? run.repeated : []),
              ...(leavesKnown ? run.known.map(({ line }) => line) : []),
            ]),
          ]
        : noLines,
    [run, leavesRepeated, leavesKnown],
  );
  const check = useMemo(() => {
    const kept = run && leavesNewer ? withoutNewer(run) : run;
    return kept && omitted.length > 0 ? withoutNew(kept, omitted) : kept;
  }, [run, leavesNewer, omitted]);
  const repeated = run && leavesRepeated ? run.repeated.length : 0;
  return {
    /** What the import would do with each of them. Null while the file is being read, or cannot be read yet. */
    check,
    /** The lines of new devices that are left out. */
    omitted,
    /** How many rows are left out, each counted for one reason. */
    left: {
      newer: run && leavesNewer ? run.newer.length : 0,
      repeated,
      known: omitted.length - repeated,
    },
    ...useStableFunctions({
      /** Leaves out the rows whose device was changed after the export, or takes them back. */
      leaveNewer: (leavesNewer: boolean) => change((now) => ({ ...now, leavesNewer })),
      /** The same for those that are identical to another one. */
      leaveRepeated: (leavesRepeated: boolean) => change((now) => ({ ...now, leavesRepeated })),
      /** The same for those that have the name of a device of the user. */
      leaveKnown: (leavesKnown: boolean) => change((now) => ({ ...now, leavesKnown })),
    }),
  };
}

export type ImportedRows = ReturnType<typeof useImportedRows>;
