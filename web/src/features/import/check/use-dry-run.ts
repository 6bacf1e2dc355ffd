import { useEffect, useEffectEvent, useState } from 'react';
import { letterOIn } from '@swarmdeck/bff/coordinates';
import type { Encoding, Separator } from '@swarmdeck/bff/csv-parser';
import { guessLetterO, type Readings } from '@swarmdeck/bff/device-import';
import { language } from '../../../text/language.ts';
import type { Owned } from '../rows/check-row.ts';
import { missingFields, withUse, type Uses } from '../rows/column-uses.ts';
import type { Fixes, RowSource } from '../rows/csv-file.ts';
import { dryRun, type DryRun, type Found } from '../rows/dry-run.ts';

/** The input of a dry run, which also has the corrections. */
export interface DryRunInput extends RowSource, Readings {
  separator: Separator;
  encoding: Encoding;
  uses: Uses;
}

interface DryRunOptions {
  /** Null before a file is chosen. */
  input: DryRunInput | null;
  /** Undefined until they are known. */
  owned: Owned | undefined;
  fixes: Fixes;
  /** The names of the columns. */
  names: readonly string[];
  /** Called with an input that what was found makes better. */
  onBetterInput(better: DryRunInput): void;
  onError(): void;
}

/** Checks all rows of a file, again whenever its input changes. */
export function useDryRun({ input, owned, ...options }: DryRunOptions) {
  const [read, setRead] = useState<{ of: DryRunInput; part: number; check: DryRun | null } | null>(null);
  // It stays while the rows of the file are read again, because the user decides about it.
  const [lastFound, setLastFound] = useState<{ of: DryRunInput; found: Found } | null>(null);
  // A correction updates the result itself.
  const currentFixes = useEffectEvent(() => options.fixes);
  const improve = useEffectEvent((run: { input: DryRunInput; found: Found }) => {
    const better = withFound({ ...run, names: options.names });
    if (better !== run.input) options.onBetterInput(better);
    return better;
  });
  const fail = useEffectEvent(() => options.onError());
  useEffect(() => {
    if (!input || !owned || missingFields(input.uses, input).length > 0) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    // While the rows are checked again, the last result stays, and with it the dialog that corrects one of them.
    const onRead = (part: number) =>
      signal.aborted || setRead((now) => ({ of: input, part, check: now?.of === input ? now.check : null }));
    const run = async () => {
      const fixes = currentFixes();
      const check = await dryRun({ ...input, owned, fixes, onRead, signal });
      if (signal.aborted) return undefined;
      // Without a correction that was made meanwhile.
      if (fixes !== currentFixes()) return run();
      setLastFound({ of: input, found: check.found });
      if (improve({ input, found: check.found }) === input) setRead({ of: input, part: 1, check });
      return undefined;
    };
    run().catch(() => signal.aborted || fail());
    return () => stop.abort();
  }, [input, owned]);

  const now = read?.of === input ? read : null;
  return {
    /** Null while the file is being read, or cannot be read yet. */
    check: now?.check ?? null,
    part: now?.part ?? 0,
    /** What only the whole file shows; null until it has been read once. */
    found: lastFound && input && hasSameRows(lastFound.of, input) ? lastFound.found : null,
    update(change: (check: DryRun) => DryRun) {
      setRead((last) => last && { ...last, check: last.check && change(last.check) });
    },
  };
}

/** Returns the input, or one that what was found makes better: without foreign ids, and with a meaning of O. */
function withFound({ input, found, names }: { input: DryRunInput; found: Found; names: readonly string[] }) {
  const { uses, letterO } = input;
  if (found.hasForeignIds) return { ...input, uses: withUse({ uses, index: uses.indexOf('id'), use: 'skip' }) };
  if (letterO || !found.letters.has('O')) return input;
  const guess = guessLetterO({ letters: found.letters, names, byDefault: letterOIn(language) });
  return guess ? { ...input, letterO: guess } : input;
}

const hasSameRows = (one: DryRunInput, other: DryRunInput) =>
  one.file === other.file && one.separator === other.separator && one.header === other.header;
