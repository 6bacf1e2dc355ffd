import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { toLine } from '@swarmdeck/bff/device-export';
import type { ActionOf } from '@swarmdeck/bff/contract';
import { pastImportQuery } from '../../data/actions/action-history.ts';
import { failedItems, useActionRequests } from '../../data/actions/actions.ts';
import { useActions } from '../../data/actions/shown-actions.ts';
import { serverNow } from '../../data/server-clock.ts';
import { t } from '../../text/text.ts';
import { largest, useImportFile, type FileError } from './check/use-import-file.ts';
import { readRows } from './rows/csv-file.ts';
import { isGeoJson, tableOfGeoJson } from './rows/geojson.ts';
import { importItems } from './rows/import-items.ts';

/** In ms. The result of an import that ended longer before the visit is shown only with its file. The activity has it. */
const newsLast = 10 * 60_000;

export type ImportAction = ActionOf<'import'>;

/** The chosen file, and the import of it or the newest one of the user, which may have been started elsewhere. */
export function useImport({ user_id }: { user_id: string }) {
  const requests = useActionRequests();
  const actions = useActions();
  const imports = actions.filter((action): action is ImportAction => action.kind === 'import');
  const source = useImportFile({ user_id, isStarted: (hash) => imports.some(({ about }) => about.hash === hash) });
  const { chosen } = source;
  const [openedAt] = useState(serverNow);
  const isNews = ({ ended_at }: ImportAction) => !ended_at || openedAt - Date.parse(ended_at) <= newsLast;
  const job = imports.findLast((action) => (chosen ? action.about.hash === chosen.hash : isNews(action))) ?? null;
  const past = useQuery({ ...pastImportQuery(chosen?.hash ?? ''), enabled: chosen !== null && !job }).data ?? null;
  const [isStarting, setStarting] = useState(false);
  const failed = useQuery({
    ...failedItems(job?.id ?? ''),
    enabled: job?.state === 'ended' && job.failed > 0,
  }).data;
  const failedRows = (failed ?? []).flatMap(({ item, result }) =>
    'line' in item && 'name' in item && result ? [{ line: item.line, name: item.name, result }] : [],
  );
  // A record that could not be read has no fields to correct.
  const listed = source.check?.listed.filter(({ fields }) => fields.length > 0) ?? [];
  /** The lines of the rows that were not imported. They can be corrected while the file is known. */
  const rest = chosen ? [...listed, ...failedRows].map(({ line }) => line) : [];

  const restore = useEffectEvent(() => source.restore());
  useEffect(() => restore(), []);

  /** Removes the results of ended imports. One that failed and is not shown here keeps its toast on other pages. */
  function dismiss() {
    for (const { id, state, failed } of imports)
      if (state === 'ended' && (id === job?.id || failed === 0)) void requests.dismiss(id);
  }

  function next() {
    dismiss();
    source.forget();
  }
  // A result that was read is not shown at the next visit, unless rows of it can be corrected.
  const leave = useEffectEvent(() => job?.state === 'ended' && job.done === job.total && rest.length === 0 && next());
  useEffect(() => () => void leave(), []);

  return {
    source,
    job,
    past,
    failedRows,
    rest,
    isStarting,
    isUndoing: actions.some(({ id, state }) => id === job?.undone_by && state !== 'ended'),
    async choose(given: File) {
      if (job && job.state !== 'ended') return;
      dismiss();
      await source.choose(isGeoJson(given) ? tableOf(given) : given, { name: given.name });
    },
    async start() {
      const { check, input, fixes } = source;
      if (!chosen || !check || !input) return;
      setStarting(true);
      const { name, hash } = chosen;
      await source.readAgain(async () => {
        const items = [];
        for await (const item of importItems({ ...input, fixes, changes: check.changes })) items.push(item);
        await requests.start({ kind: 'import', about: { file: name, hash }, items });
      });
      setStarting(false);
    },
    pause: () => job && void requests.pause(job.id),
    resume: () => job && void requests.resume(job.id),
    stop: () => job && void requests.stop(job.id),
    retry: () => job && void requests.retry(job.id),
    /** Opens the rows that were not imported as a file of their own, to correct and import them. */
    async fixRest() {
      const { input, fixes, leavesNewer } = source;
      if (!chosen || !input) return;
      const { encoding, ...like } = input;
      const lines = new Set(rest);
      const { separator } = input;
      const { names } = chosen.head;
      const parts = [toLine(names, separator)];
      await source.readAgain(async () => {
        for await (const { line, fields } of readRows({ file: chosen.file, separator, encoding, fixes }))
          if (lines.has(line)) parts.push(toLine(fields, separator));
        dismiss();
        await source.choose(new Blob(parts), {
          name: t.import.job.rest_name(chosen.name),
          like: { ...like, leavesNewer },
        });
      });
    },
    next,
  };
}

async function tableOf(file: Blob): Promise<Blob | FileError> {
  if (file.size > largest) return 'too_large';
  const text = await file.text().catch(() => null);
  if (text === null) return 'unreadable';
  const lines = tableOfGeoJson(text);
  return lines ? new Blob(lines) : 'not_geojson';
}

export type Import = ReturnType<typeof useImport>;
