import type { LetterO } from '@swarmdeck/bff/coordinates';
import type { MachineType } from '@swarmdeck/bff/contract';
import type { DryRunInput } from './check/use-dry-run.ts';
import { missingFields, withUse, type Use, type Uses } from './rows/column-uses.ts';
import { useImport } from './import-state.ts';

const none: Uses = [];

/** How the rows of the file are read, and changing it. */
function useImportInput() {
  const { source, change } = useImport('source');
  return {
    input: source?.input,
    changeInput: (next: (now: DryRunInput) => DryRunInput) => change((now) => ({ ...now, input: next(now.input) })),
  };
}

/** What the columns of the file are used for. */
export function useImportColumns() {
  const { input, changeInput } = useImportInput();
  const { uses = none } = input ?? {};
  return {
    uses,
    /** The required fields that the rows do not have yet. */
    missing: input ? missingFields(uses, input) : [],
    use(index: number, use: Use) {
      changeInput((now) => ({
        ...now,
        uses: withUse({ uses: now.uses, index, use }),
        letterO: use === 'longitude' || use === 'position' ? undefined : now.letterO,
      }));
    },
  };
}

/** How cells are read that may mean several things. */
export function useImportReadings() {
  const { input, changeInput } = useImportInput();
  return {
    letterO: input?.letterO,
    machineTypes: input?.machineTypes,
    otherType: input?.otherType,
    readLetterO: (letter: LetterO) => changeInput((now) => ({ ...now, letterO: letter })),
    /** Reads a machine type of another program, by its key in `found.types`, as one of ours. */
    readMachineType: (key: string, type: MachineType) =>
      changeInput((now) => ({ ...now, machineTypes: { ...now.machineTypes, [key]: type } })),
    /** Reads rows without a machine type, or with another one of another program, as this one. */
    readOtherTypes: (otherType: MachineType) => changeInput((now) => ({ ...now, otherType })),
  };
}
