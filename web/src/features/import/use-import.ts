import { useEffect, useEffectEvent, useState } from 'react';
import { toLine } from '@swarmdeck/bff/device-export';
import { t } from '../../text/text.ts';
import { largest, useImportFile } from './check/use-import-file.ts';
import type { FileError, ImportFile } from './check/use-import-file.ts';
import { failedRows, isOver, pastImport, useImportJob } from './job/import.job.tsx';
import type { ImportJob, PastImport } from './job/import.job.tsx';
import { hashOf, readRows } from './rows/csv-file.ts';
import { rowsOf } from './rows/dry-run.ts';
import { isGeoJson, tableOfGeoJson } from './rows/geojson.ts';

/** The chosen file and the import job of the user, which may have been started earlier. */
export function useImport({ user_id }: { user_id: string }) {
  const { jobs, job } = useImportJob();
  const source = useImportFile({ user_id, hasStarted: job !== null });
  const [known, setKnown] = useState<{ of: Blob; past: PastImport | undefined } | null>(null);
  const [otherFile, setOtherFile] = useState(false);

  // The file of a continued import is shown as if it had been chosen here.
  const take = useEffectEvent((file: Blob) => {
    if (job && !source.chosen) void source.choose(file, { name: job.about.name, like: job.about });
  });
  const jobFile = job?.source;
  useEffect(() => {
    if (jobFile) take(jobFile);
  }, [jobFile]);

  const restore = useEffectEvent(() => source.restore());
  useEffect(() => restore(), []);

  const chosen = source.chosen?.file;
  useEffect(() => {
    if (!chosen) return undefined;
    let stale = false;
    const look = async () => {
      const past = await pastImport({ user_id, hash: await hashOf(chosen) });
      if (!stale) setKnown({ of: chosen, past });
    };
    // Without storage there are no past imports.
    look().catch(() => undefined);
    return () => {
      stale = true;
    };
  }, [chosen, user_id]);

  async function choose(given: File) {
    setOtherFile(false);
    const { name } = given;
    const table = isGeoJson(given) ? tableOf(given) : given;
    if (!job || isOver(job)) {
      jobs.dismiss();
      return source.choose(table, { name });
    }
    if (job.state !== 'paused') return undefined;
    const file = await table;
    if (typeof file === 'string') return source.setError(file);
    // The job can only continue with the same file.
    if ((await hashOf(file)) !== job.about.hash) return setOtherFile(true);
    return jobs.resume(job.key, file);
  }

  async function start() {
    const { chosen, check, uses, fixes } = source;
    if (!chosen || !check) return;
    const { file, name } = chosen;
    const plan = { user_id, name, hash: await hashOf(file), uses, fixes };
    await jobs.start({ about: { ...plan, rows: rowsOf(check), changes: check.changes }, source: file });
  }

  return {
    source,
    job,
    past: known?.of === chosen ? known?.past : undefined,
    otherFile,
    choose,
    start,
    pause: () => job && jobs.pause(job.key),
    resume: () => job && jobs.resume(job.key),
    stop: () => job && jobs.stop(job.key),
    /** Opens the rows that were not imported as a file of their own, to correct and import them. */
    async fixRest() {
      const { chosen, uses } = source;
      if (!chosen || !job) return;
      const lines = new Set(restOf({ source, job }));
      const { names, separator } = chosen.head;
      const parts = [toLine(names, separator)];
      for await (const { line, fields } of readRows({ file: chosen.file, fixes: source.fixes }))
        if (lines.has(line)) parts.push(toLine(fields, separator));
      const name = t.import.job.rest_name(chosen.name);
      jobs.dismiss();
      await source.choose(new Blob(parts), { name, like: { uses, fixes: {} } });
    },
    next() {
      jobs.dismiss();
      source.forget();
    },
  };
}

/** The lines of the rows that were not imported: those with errors, and those that the service rejected. */
export function restOf({ source, job }: { source: ImportFile; job: ImportJob }): number[] {
  // A record that could not be read has no fields to correct.
  const listed = source.check?.listed.filter(({ fields }) => fields.length > 0) ?? [];
  return [...listed, ...failedRows(job)].map(({ line }) => line);
}

async function tableOf(file: Blob): Promise<Blob | FileError> {
  if (file.size > largest) return 'too_large';
  const text = await file.text().catch(() => null);
  if (text === null) return 'unreadable';
  const lines = tableOfGeoJson(text);
  return lines ? new Blob(lines) : 'not_geojson';
}

export type Import = ReturnType<typeof useImport>;
