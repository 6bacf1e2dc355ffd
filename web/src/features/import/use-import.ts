import { useEffect, useEffectEvent, useState } from 'react';
import { randomKey } from '../../api/sending-key.ts';
import { largest, useImportFile } from './check/use-import-file.ts';
import type { FileFault } from './check/use-import-file.ts';
import { pastImport } from './job/import.store.ts';
import type { PastImport } from './job/import.store.ts';
import { useImporter } from './job/importer-of.ts';
import { hashOf } from './rows/csv-file.ts';
import { rowsOf } from './rows/dry-run.ts';
import { isGeoJson, tableOfGeoJson } from './rows/geojson.ts';

/** The page's file and the user's one import, which may be older than the page. */
export function useImport({ user_id }: { user_id: string }) {
  const importer = useImporter({ user_id });
  const job = importer.state();
  const source = useImportFile({ user_id, begun: job !== null });
  const [known, setKnown] = useState<{ of: Blob; past: PastImport | undefined } | null>(null);
  const [otherFile, setOtherFile] = useState(false);

  // the file of an import that was taken up is shown as if it had been chosen here
  const take = useEffectEvent((file: Blob) => {
    if (job && !source.chosen) void source.choose(file, { name: job.plan.name, like: job.plan });
  });
  const jobFile = job?.file;
  useEffect(() => {
    if (jobFile) take(jobFile);
  }, [jobFile]);

  const takeUp = useEffectEvent(() => source.takeUp());
  useEffect(() => takeUp(), []);

  const chosen = source.chosen?.file;
  useEffect(() => {
    if (!chosen) return undefined;
    let stale = false;
    const look = async () => {
      const past = await pastImport({ user_id, hash: await hashOf(chosen) });
      if (!stale) setKnown({ of: chosen, past });
    };
    // who keeps nothing has no past
    look().catch(() => undefined);
    return () => {
      stale = true;
    };
  }, [chosen, user_id]);

  async function choose(given: File) {
    setOtherFile(false);
    const { name } = given;
    const file = isGeoJson(given) ? await tableOf(given) : given;
    if (typeof file === 'string') return source.refuse(file);
    if (!job || job.phase === 'done' || job.phase === 'stopped') {
      importer.dismiss();
      return source.choose(file, { name });
    }
    if (job.phase !== 'paused') return undefined;
    // it waits for the file that it was begun with
    if ((await hashOf(file)) !== job.plan.hash) return setOtherFile(true);
    return importer.resume(file);
  }

  async function start() {
    const { chosen, check, uses, fixes } = source;
    if (!chosen || !check) return;
    const { file, name } = chosen;
    const plan = { id: randomKey(), user_id, name, hash: await hashOf(file), uses, fixes };
    await importer.start({ ...plan, rows: rowsOf(check), changes: check.changes }, file);
  }

  return {
    source,
    job,
    past: known?.of === chosen ? known?.past : undefined,
    otherFile,
    choose,
    start,
    pause: importer.pause,
    resume: () => void importer.resume(),
    stop: () => void importer.stop(),
    next() {
      importer.dismiss();
      source.forget();
    },
  };
}

async function tableOf(file: Blob): Promise<Blob | FileFault> {
  if (file.size > largest) return 'too_large';
  const text = await file.text().catch(() => null);
  if (text === null) return 'unreadable';
  const lines = tableOfGeoJson(text);
  return lines ? new Blob(lines) : 'not_geojson';
}

export type Import = ReturnType<typeof useImport>;
