import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useActions } from '../../data/actions/shown-actions.ts';
import { oncePerClient } from '../../data/of-client.ts';
import { serverNow } from '../../data/server-clock.ts';
import { useStableFunctions } from '../../ui/browser/stable-functions.ts';
import { reported, useUnsavedInput } from '../../ui/fields/unsaved-input.ts';
import type { DryRunInput } from './check/use-dry-run.ts';
import { suggestAgain, suggestUses } from './rows/column-uses.ts';
import {
  chosenHeader,
  hashOf,
  readHead,
  type CsvForm,
  type CsvHead,
  type Fixes,
  type HeadError,
} from './rows/csv-file.ts';
import { isGeoJson, type GeoJsonError } from '@swarmdeck/bff/geojson';
import { isImportOf } from './import-action.ts';

/** In bytes. The hash is computed from the whole file in memory. */
export const largest = 50_000_000;

export type FileError = HeadError | 'wrong_encoding' | GeoJsonError | 'too_large' | 'unreadable' | 'not_known';

interface Chosen {
  /** When the user chose it, in the time of the server. */
  at: number;
  file: Blob;
  name: string;
  hash: string;
  head: CsvHead;
}

/** A file as it is read: with a separator, in an encoding, and with its column names in a line. */
interface Reading {
  input: DryRunInput;
  /** The corrected rows. Each has all cells of its row, as read so. */
  fixes: Fixes;
  /** The column that is left out, because its ids are of another program. */
  foreignIds: number | null;
}

/** What the user has decided about the rows of a file. */
interface Decisions {
  fixes: Fixes;
  /** How the same file was read before, with what the user had chosen and corrected then. */
  otherReadings: readonly Reading[];
  /** Rows whose device was changed after the export are left out. */
  leavesNewer: boolean;
  /** Rows that are identical to another one are left out. */
  leavesRepeated: boolean;
  /** Rows of new devices that have the name of a device of the user are left out. */
  leavesKnown: boolean;
}

/** A file that was read, and what the user has decided about it. */
interface Source extends Reading, Decisions {
  chosen: Chosen;
}

/** What another file is read like. `at`: when the same file was chosen. */
type Like = Pick<CsvForm, 'header'> & Partial<Decisions & Omit<DryRunInput, 'file' | 'header'> & Pick<Chosen, 'at'>>;

/** The file and the decisions when the user left the page, by user. In memory only, also after its import. */
const lastFilesOf = oncePerClient(() => new Map<string, Source>());

const leftFile = Symbol();

/** It may have been discarded, for example because another user has signed in. */
const askBeforeUnload = (event: BeforeUnloadEvent) => void (reported.has(leftFile) && event.preventDefault());

/** The chosen file, and what the user has decided about it. */
export function useImportSource({ user_id }: { user_id: string }) {
  const lastFiles = lastFilesOf({ client: useQueryClient() });
  const [source, setSource] = useState<Source | null>(null);
  const [error, setError] = useState<FileError | null>(null);
  /** The number of the last choice of a file, or of how it is read. */
  const lastChoice = useRef(0);
  const hasStarted = useActions().some((action) => source !== null && isImportOf(action, source.chosen));

  /** `reading` returns the source, or the change of that which is shown then. What was chosen later may be read first. */
  async function open(reading: Promise<((now: Source | null) => Source | null) | FileError>): Promise<boolean> {
    const choice = (lastChoice.current += 1);
    const read = await reading;
    if (choice !== lastChoice.current) return false;
    setError(typeof read === 'string' ? read : null);
    if (typeof read === 'string') return false;
    setSource(read);
    return true;
  }
  /** Returns whether it is shown. */
  const choose = (given: Blob | Promise<Blob | FileError>, { name, like }: { name: string; like?: Like }) =>
    open(readSource({ given, name, like }));

  const fail = () => setError('unreadable');

  const functions = useStableFunctions({
    choose,
    /** Reads the file again with another separator, in another encoding, or with its column names in another line. */
    readAs: (form: CsvForm) => source && open(readWith(source, form)),
    change: (change: (now: Source) => Source) => setSource((now) => now && change(now)),
    /** The file was changed or moved after it was read. */
    fail,
    /** Runs something that reads the file again. If the file was changed or moved meanwhile, the page says so. */
    readAgain: (run: () => Promise<void>) => run().catch(fail),
    forget() {
      lastChoice.current += 1;
      lastFiles.delete(user_id);
      setSource(null);
      setError(null);
    },
  });

  const restore = useEffectEvent(() => {
    const left = lastFiles.get(user_id);
    if (!left) return;
    const { chosen, input, foreignIds: _, ...decisions } = left;
    void functions.choose(chosen.file, { name: chosen.name, like: { ...input, ...decisions, at: chosen.at } });
  });
  useEffect(() => restore(), []);
  useEffect(() => {
    if (source) lastFiles.set(user_id, source);
  }, [lastFiles, user_id, source]);
  const isOpen = source !== null && !hasStarted;
  useUnsavedInput(isOpen);
  const isCorrected =
    isOpen &&
    (source.leavesNewer ||
      source.leavesRepeated ||
      source.leavesKnown ||
      [source, ...source.otherReadings].some(hasFixes));
  // Without a cleanup: when this page is left, `lastFiles` has the file and its corrections.
  useEffect(() => {
    if (isOpen) reported.set(leftFile, 'chosen');
    else reported.delete(leftFile);
    if (isCorrected) window.addEventListener('beforeunload', askBeforeUnload);
    else window.removeEventListener('beforeunload', askBeforeUnload);
  }, [isOpen, isCorrected]);

  return {
    /** Null before a file is chosen. */
    source,
    /** There is an import of the file: nothing can be changed any more. */
    hasStarted,
    error,
    ...functions,
  };
}

export type ImportSource = ReturnType<typeof useImportSource>;

interface ReadSourceOptions {
  given: Blob | Promise<Blob | FileError>;
  name: string;
  like: Like | undefined;
}

async function readSource({ given, name, like }: ReadSourceOptions) {
  const now = serverNow();
  const file = await given;
  if (typeof file === 'string') return file;
  const countsRows = isGeoJson({ name });
  const read = await readStart(file, { ...like, countsRows });
  if (typeof read === 'string') return read;
  const { separator, encoding, line: header } = read.head;
  const {
    uses = suggestUses(read.head),
    fixes = {},
    otherReadings = [],
    leavesNewer = false,
    leavesRepeated = false,
    leavesKnown = false,
    at = now,
    ...readings
  } = like ?? {};
  const input = { ...readings, file, separator, encoding, header, countsRows, uses };
  const decisions = { fixes, otherReadings, leavesNewer, leavesRepeated, leavesKnown };
  return () => ({ chosen: { at, file, name, ...read }, input, ...decisions, foreignIds: null });
}

/** If the file was read so before, what the user had chosen and corrected then comes back. */
async function readWith({ chosen, input }: Source, form: CsvForm) {
  const { file, encoding, countsRows, only } = input;
  // Rows may begin in another line with another separator.
  const header = form.separator === undefined ? input.header : chosenHeader(chosen.head);
  const read = await readStart(file, { separator: input.separator, encoding, header, countsRows, only, ...form });
  const isOtherEncoding = form.encoding !== undefined && form.encoding !== encoding;
  if (typeof read === 'string') return isOtherEncoding && read !== 'unreadable' ? 'wrong_encoding' : read;
  const { head } = read;
  return (now: Source | null) => {
    if (!now) return now;
    const { fixes, foreignIds, otherReadings } = now;
    const next = { ...now.input, separator: head.separator, encoding: head.encoding, header: head.line };
    const isSameTable = next.separator === now.input.separator && next.header === now.input.header;
    const before = otherReadings.find((reading) => isReadAs(reading.input, next));
    const uses = isSameTable
      ? suggestAgain({ uses: now.input.uses, before: now.chosen.head, head })
      : suggestUses(head);
    const others = otherReadings.filter((reading) => reading !== before);
    return {
      ...now,
      chosen: { ...now.chosen, ...read },
      ...(before ?? {
        input: { ...next, uses, ...(!isSameTable && { letterO: undefined }) },
        fixes: {},
        foreignIds: isSameTable ? foreignIds : null,
      }),
      otherReadings: [...others, { input: now.input, fixes, foreignIds }],
    };
  };
}

const isReadAs = (one: DryRunInput, other: DryRunInput) =>
  one.separator === other.separator && one.encoding === other.encoding && one.header === other.header;

export const hasFixes = ({ fixes }: Pick<Reading, 'fixes'>): boolean => Object.keys(fixes).length > 0;

async function readStart(
  file: Blob,
  { only, ...form }: CsvForm & Pick<DryRunInput, 'only'> = {},
): Promise<Pick<Chosen, 'head' | 'hash'> | FileError> {
  if (file.size > largest) return 'too_large';
  try {
    const head = await readHead(file, form);
    // The rest of a file is imported beside the file itself.
    return typeof head === 'string'
      ? head
      : { head, hash: await hashOf(only ? new Blob([file, [...only].join()]) : file) };
  } catch {
    return 'unreadable';
  }
}
