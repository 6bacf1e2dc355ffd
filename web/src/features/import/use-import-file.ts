import { useEffect, useMemo, useState } from 'react';
import type { Columns } from '@swarmdeck/bff/device-csv';
import { readHead } from './csv-file.ts';
import type { CsvHead, HeadFault } from './csv-file.ts';
import { dryRun, withFix } from './dry-run.ts';
import type { DryRun, Fixes } from './dry-run.ts';
import { lacking, suggestColumns, withUse } from './mapping.ts';
import type { Use } from './mapping.ts';

/** A browser keeps it whole, and its hash is made of the whole of it. */
const largest = 50_000_000;

export type FileFault = HeadFault | 'too_large' | 'unreadable';

interface Chosen {
  file: Blob;
  name: string;
  head: CsvHead;
}

/** What is to be read, and how far that is. */
interface Wish {
  file: Blob;
  columns: Columns;
  fixes: Fixes;
}

/** The file, what its columns are used for, and what an import would make of it. */
export function useImportFile() {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [fault, setFault] = useState<FileFault | null>(null);
  const [wish, setWish] = useState<Wish | null>(null);
  const [read, setRead] = useState<{ of: Wish; part: number; check: DryRun | null } | null>(null);
  /** Those made since the last reading too. */
  const [fixes, setFixes] = useState<Fixes>({});
  const columns = wish?.columns ?? none;
  const lacks = useMemo(() => (wish ? lacking(wish.columns) : []), [wish]);
  const now = read !== null && read.of === wish ? read : null;

  useEffect(() => {
    if (!wish || lacking(wish.columns).length > 0) return undefined;
    const stop = new AbortController();
    const run = dryRun({
      ...wish,
      onRead: (part) => stop.signal.aborted || setRead({ of: wish, part, check: null }),
      signal: stop.signal,
    });
    run.then(
      (check) => setRead({ of: wish, part: 1, check }),
      () => stop.signal.aborted || setFault('unreadable'),
    );
    return () => stop.abort();
  }, [wish]);

  async function choose(file: Blob, { name, like }: { name: string; like?: { columns: Columns; fixes: Fixes } }) {
    const head = file.size > largest ? 'too_large' : await readHead(file).catch(() => 'unreadable' as const);
    if (typeof head === 'string') {
      setFault(head);
      return;
    }
    setFault(null);
    setChosen({ file, name, head });
    setFixes(like?.fixes ?? {});
    setWish({ file, columns: like?.columns ?? suggestColumns(head), fixes: like?.fixes ?? {} });
  }

  return {
    chosen,
    fault,
    columns,
    lacks,
    fixes,
    /** Null while it is being read, or cannot be yet. */
    check: now?.check ?? null,
    part: now?.part ?? 0,
    choose,
    use(index: number, use: Use) {
      setWish((now) => now && { ...now, columns: withUse({ columns: now.columns, index, use }), fixes });
    },
    /** Counted as good without reading everything once more. */
    fix(line: number, fields: readonly string[]) {
      setFixes((now) => ({ ...now, [line]: fields }));
      setRead((now) => now && { ...now, check: now.check && withFix(now.check, line) });
    },
    forget() {
      setChosen(null);
      setFault(null);
      setWish(null);
    },
  };
}

const none: Columns = [];

export type ImportFile = ReturnType<typeof useImportFile>;
