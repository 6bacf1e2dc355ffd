import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { LetterO } from '@swarmdeck/bff/coordinates';
import type { Encoding, Separator } from '@swarmdeck/bff/csv-parser';
import type { MachineType } from '@swarmdeck/bff/contract';
import { onNewPage } from '../../../data/new-page.ts';
import { useUnsavedInput } from '../../../ui/unsaved-input.ts';
import { useUnloadQuestion } from '../../../ui/use-leave-guard.ts';
import { ownedQuery } from '../owned.api.ts';
import { hashOf, readHead, type CsvForm, type CsvHead, type Fixes, type HeadError } from '../rows/csv-file.ts';
import { withFix, withoutNewer } from '../rows/dry-run.ts';
import { missingFields, suggestAgain, suggestUses, withUse, type Use, type Uses } from '../rows/column-uses.ts';
import { checkRow, type ImportError, type Owned } from '../rows/check-row.ts';
import { useDryRun, type DryRunInput } from './use-dry-run.ts';

/** In bytes. The hash is computed from the whole file in memory. */
export const largest = 50_000_000;

export type FileError = HeadError | 'wrong_encoding' | 'not_geojson' | 'too_large' | 'unreadable' | 'not_known';

interface Chosen {
  file: Blob;
  name: string;
  hash: string;
  head: CsvHead;
}

/** What the user has decided about the rows of a file. */
interface Decisions extends Omit<DryRunInput, 'file'> {
  fixes: Fixes;
  /** Rows whose device was changed after the export are left out. */
  leavesNewer: boolean;
}

/** The file and the decisions when the user left the page, by user. In memory only, also after its import. */
const lastFiles = new Map<string, Decisions & { file: Blob; name: string }>();
onNewPage(() => lastFiles.clear());

interface ImportFileOptions {
  user_id: string;
  /** Whether there is an import of the file with this hash. */
  isStarted: (hash: string) => boolean;
}

/** The file, the uses of its columns, and the result of its dry run. */
export function useImportFile({ user_id, isStarted }: ImportFileOptions) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [error, setError] = useState<FileError | null>(null);
  const [input, setInput] = useState<DryRunInput | null>(null);
  const [fixes, setFixes] = useState<Fixes>({});
  const [leavesNewer, setLeavesNewer] = useState(false);
  const [foreignIds, setForeignIds] = useState<number | null>(null);
  /** The number of the last choice of a file, a separator or an encoding. */
  const lastChoice = useRef(0);
  const hasStarted = chosen !== null && isStarted(chosen.hash);
  const uses = input?.uses ?? none;
  const missing = useMemo(() => (input ? missingFields(input.uses) : []), [input]);
  const { owned, unknown } = useOwned({ wanted: uses.includes('id'), hasStarted });
  const run = useDryRun({
    input,
    owned,
    fixes,
    names: chosen?.head.names ?? [],
    onBetterInput(better) {
      if (better.uses !== uses) setForeignIds(uses.indexOf('id'));
      setInput(better);
    },
    onError: () => setError('unreadable'),
  });
  const whole = run.check;
  const check = useMemo(() => whole && (leavesNewer ? withoutNewer(whole) : whole), [whole, leavesNewer]);

  async function choose(
    given: Blob | Promise<Blob | FileError>,
    { name, like }: { name: string; like?: Partial<Decisions> },
  ) {
    const choice = (lastChoice.current += 1);
    const file = await given;
    const read = typeof file === 'string' ? file : await readStart(file, like);
    // What was chosen later may be read first.
    if (choice !== lastChoice.current) return;
    if (typeof file === 'string' || typeof read === 'string') {
      setError(read as FileError);
      return;
    }
    setError(null);
    setChosen({ file, name, ...read });
    setFixes(like?.fixes ?? {});
    setLeavesNewer(like?.leavesNewer ?? false);
    const { separator, encoding } = read.head;
    const { uses = suggestUses(read.head), letterO, machineTypes } = like ?? {};
    setInput({ file, separator, encoding, uses, letterO, machineTypes });
    setForeignIds(null);
  }

  useEffect(() => {
    if (chosen && input) lastFiles.set(user_id, { ...input, name: chosen.name, fixes, leavesNewer });
  }, [user_id, chosen, input, fixes, leavesNewer]);
  useUnsavedInput(!hasStarted && chosen !== null);
  useUnloadQuestion(!hasStarted && chosen !== null && (leavesNewer || Object.keys(fixes).length > 0));

  return {
    chosen,
    /** Nothing can be changed any more. */
    hasStarted,
    error: error ?? (unknown ? 'not_known' : null),
    /** How the file is read; null before one is chosen. */
    input,
    uses,
    missing,
    fixes,
    leavesNewer,
    /** What only the whole file shows; null until it has been read once. */
    found: run.found,
    /** The column that is left out, because its ids are of another program. */
    foreignIds,
    owned,
    /** Null while the file is being read, or cannot be read yet. */
    check,
    /** How many rows are left out because their device was changed after the export. */
    leftOut: whole && leavesNewer ? whole.newer.length : 0,
    part: run.part,
    choose,
    /** Restores the file of the last visit to this page. */
    restore() {
      const left = lastFiles.get(user_id);
      if (left) void choose(left.file, { name: left.name, like: left });
    },
    /** Reads the file again with another separator. Its columns and rows are others. */
    separate(separator: Separator) {
      if (!chosen) return;
      const { encoding } = chosen.head;
      void choose(chosen.file, { name: chosen.name, like: { separator, encoding } });
    },
    /** Reads the same columns in another encoding. Corrections end: they have all cells of their rows, as read before. */
    async decode(encoding: Encoding) {
      if (!chosen || !input) return;
      const choice = (lastChoice.current += 1);
      const read = await readStart(chosen.file, { ...input, encoding });
      if (choice !== lastChoice.current) return;
      if (typeof read === 'string') return setError(read === 'unreadable' ? read : 'wrong_encoding');
      setError(null);
      setChosen({ ...chosen, ...read });
      setFixes({});
      setInput(
        (now) =>
          now && { ...now, encoding, uses: suggestAgain({ uses: now.uses, before: chosen.head, head: read.head }) },
      );
    },
    use(index: number, use: Use) {
      setInput(
        (now) =>
          now && {
            ...now,
            uses: withUse({ uses: now.uses, index, use }),
            letterO: use === 'longitude' ? undefined : now.letterO,
          },
      );
    },
    readLetterO(letterO: LetterO) {
      setInput((now) => now && { ...now, letterO });
    },
    /** Reads a machine type of another program, by its key in `found.types`, as one of ours. */
    readMachineType(key: string, type: MachineType) {
      setInput((now) => now && { ...now, machineTypes: { ...now.machineTypes, [key]: type } });
    },
    /**
     * Corrects a row and updates the counts. Another dry run is necessary only if a newer one has found no error in the row
     * while the user was correcting it. Returns the errors that the row still has.
     */
    fix(line: number, fields: string[]): ImportError[] {
      const record = { line, fields };
      const seen = whole?.ids ?? new Map();
      const { letterO, machineTypes } = input ?? {};
      const result = checkRow({ record, uses, owned: owned ?? noDevices, seen, letterO, machineTypes });
      if (result.kind === 'invalid') return result.errors;
      setFixes((now) => ({ ...now, [line]: fields }));
      if (whole?.listed.some((row) => row.line === line))
        run.update((now) => withFix({ run: now, record, uses, result }));
      else setInput((now) => now && { ...now });
      return [];
    },
    leaveNewer: setLeavesNewer,
    /** Runs something that reads the file again. If the file was changed or moved meanwhile, the page says so. */
    async readAgain(run: () => Promise<void>) {
      try {
        await run();
      } catch {
        setError('unreadable');
      }
    },
    forget() {
      lastChoice.current += 1;
      lastFiles.delete(user_id);
      setChosen(null);
      setError(null);
      setInput(null);
    },
  };
}

async function readStart(file: Blob, form?: CsvForm): Promise<Pick<Chosen, 'head' | 'hash'> | FileError> {
  if (file.size > largest) return 'too_large';
  try {
    const head = await readHead(file, form);
    return typeof head === 'string' ? head : { head, hash: await hashOf(file) };
  } catch {
    return 'unreadable';
  }
}

const none: Uses = [];
const noDevices: Owned = new Map();

/**
 * The user's devices, which rows with an id may change. Fetched if the file has a column of ids, before the import
 * changes them.
 */
function useOwned({ wanted, hasStarted }: { wanted: boolean; hasStarted: boolean }) {
  const { data, error } = useQuery({
    ...ownedQuery,
    enabled: wanted && !hasStarted,
    // A new dry run would close the dialog in which the user corrects a row.
    refetchOnWindowFocus: false,
  });
  const known = useMemo(() => data && new Map(data.map((device) => [device.id, device])), [data]);
  return { owned: wanted ? known : noDevices, unknown: wanted && !known && error !== null };
}

export type ImportFile = ReturnType<typeof useImportFile>;
