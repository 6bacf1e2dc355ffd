import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useUnloadQuestion } from '../../../ui/use-leave-guard.ts';
import { ownedQuery } from '../import.api.ts';
import { readHead } from '../rows/csv-file.ts';
import type { CsvHead, HeadFault } from '../rows/csv-file.ts';
import { dryRun, withFix } from '../rows/dry-run.ts';
import type { DryRun, Fixes } from '../rows/dry-run.ts';
import { lacking, suggestUses, withUse } from '../rows/mapping.ts';
import type { Use, Uses } from '../rows/mapping.ts';
import { fateOf } from '../rows/row-fate.ts';
import type { Owned, RowFate } from '../rows/row-fate.ts';

/** In bytes. The browser stores the whole file, and its hash is computed from all of it in memory. */
export const largest = 50_000_000;

export type FileFault = HeadFault | 'not_geojson' | 'too_large' | 'unreadable' | 'not_known';

interface Chosen {
  file: Blob;
  name: string;
  head: CsvHead;
}

/** The input of a dry run, and its progress. */
interface Wish {
  file: Blob;
  uses: Uses;
  fixes: Fixes;
}

/** The file and the corrections when the user left the page, by user. In memory only. */
const leftBy = new Map<string, { file: Blob; name: string; uses: Uses; fixes: Fixes }>();

/** The file, the uses of its columns, and the result of its dry run. `begun`: its import has started. */
export function useImportFile({ user_id, begun }: { user_id: string; begun: boolean }) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [fault, setFault] = useState<FileFault | null>(null);
  const [wish, setWish] = useState<Wish | null>(null);
  const [read, setRead] = useState<{ of: Wish; part: number; check: DryRun | null } | null>(null);
  /** The corrections, including those after the last dry run. */
  const [fixes, setFixes] = useState<Fixes>({});
  const uses = wish?.uses ?? none;
  const lacks = useMemo(() => (wish ? lacking(wish.uses) : []), [wish]);
  const { owned, unknown } = useOwned({ wanted: uses.includes('id'), begun });
  const now = read !== null && read.of === wish ? read : null;

  useEffect(() => {
    if (!wish || !owned || lacking(wish.uses).length > 0) return undefined;
    const stop = new AbortController();
    const run = dryRun({
      ...wish,
      owned,
      onRead: (part) => stop.signal.aborted || setRead({ of: wish, part, check: null }),
      signal: stop.signal,
    });
    run.then(
      (check) => setRead({ of: wish, part: 1, check }),
      () => stop.signal.aborted || setFault('unreadable'),
    );
    return () => stop.abort();
  }, [wish, owned]);

  async function choose(file: Blob, { name, like }: { name: string; like?: { uses: Uses; fixes: Fixes } }) {
    const head = await headOf(file);
    if (typeof head === 'string') {
      setFault(head);
      return;
    }
    setFault(null);
    setChosen({ file, name, head });
    setFixes(like?.fixes ?? {});
    setWish({ file, uses: like?.uses ?? suggestUses(head), fixes: like?.fixes ?? {} });
  }

  useEffect(() => {
    if (begun) leftBy.delete(user_id);
    else if (chosen) leftBy.set(user_id, { ...chosen, uses, fixes });
  }, [user_id, begun, chosen, uses, fixes]);
  useUnloadQuestion(!begun && chosen !== null && Object.keys(fixes).length > 0);

  return {
    chosen,
    fault: fault ?? (unknown ? 'not_known' : null),
    uses,
    lacks,
    fixes,
    owned,
    /** Null while the file is being read, or cannot be read yet. */
    check: now?.check ?? null,
    part: now?.part ?? 0,
    choose,
    /** Restores the file of the last visit to this page. */
    takeUp() {
      const left = leftBy.get(user_id);
      if (left && !begun) void choose(left.file, { name: left.name, like: left });
    },
    use(index: number, use: Use) {
      setWish((now) => now && { ...now, uses: withUse({ uses: now.uses, index, use }), fixes });
    },
    /** Checks one row with these fields. */
    judge: (line: number, fields: readonly string[]): RowFate =>
      fateOf({ record: { line, fields: [...fields] }, uses, owned: owned ?? nobody }),
    /** Corrects a row and updates the counts, without another dry run. */
    fix({ line, fields, fate }: { line: number; fields: readonly string[]; fate: RowFate }) {
      setFixes((now) => ({ ...now, [line]: fields }));
      setRead((now) => now && { ...now, check: now.check && withFix({ run: now.check, line, fate }) });
    },
    refuse: setFault,
    forget() {
      leftBy.delete(user_id);
      setChosen(null);
      setFault(null);
      setWish(null);
    },
  };
}

const headOf = async (file: Blob) =>
  file.size > largest ? 'too_large' : readHead(file).catch(() => 'unreadable' as const);

const none: Uses = [];
const nobody: Owned = new Map();

/**
 * The user's devices, which rows with an id may change. Fetched if the file has a column of ids, before the import
 * changes them.
 */
function useOwned({ wanted, begun }: { wanted: boolean; begun: boolean }) {
  const { data, error } = useQuery({ ...ownedQuery, enabled: wanted && !begun });
  const known = useMemo(() => data && new Map(data.map((device) => [device.id, device])), [data]);
  return { owned: wanted ? known : nobody, unknown: wanted && !known && error !== null };
}

export type ImportFile = ReturnType<typeof useImportFile>;
