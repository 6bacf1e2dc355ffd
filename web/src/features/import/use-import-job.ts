import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { minuteMs } from '@swarmdeck/bff/durations';
import { pastImportQuery } from '../../data/actions/action-history.ts';
import { failedItems, useActionRequests } from '../../data/actions/actions.ts';
import { useActions } from '../../data/actions/shown-actions.ts';
import { serverNow } from '../../data/server-clock.ts';
import { t } from '../../text/text.ts';
import { useStableFunctions } from '../../ui/browser/stable-functions.ts';
import { isImport, isImportOf, type ImportAction } from './import-action.ts';
import { isGeoJson, tableOfGeoJson } from '@swarmdeck/bff/geojson';
import { largest, type FileError, type ImportSource } from './use-import-source.ts';
import type { ImportedRows } from './use-imported-rows.ts';

/** In ms. The result of an import that ended longer before the visit is shown only with its file. The activity has it. */
const newsLast = 10 * minuteMs;

interface ImportJobOptions {
  source: Pick<ImportSource, 'source' | 'choose' | 'forget'>;
  rows: Pick<ImportedRows, 'check'>;
}

/** The import of the file, or without a file the newest one of the user, which may have been started elsewhere. */
export function useImportJob({ source: { source, choose, forget }, rows: { check } }: ImportJobOptions) {
  const requests = useActionRequests();
  const actions = useActions();
  const imports = actions.filter(isImport);
  const chosen = source?.chosen;
  const [openedAt] = useState(serverNow);
  const isNews = ({ ended_at }: ImportAction) => !ended_at || openedAt - Date.parse(ended_at) <= newsLast;
  const job = imports.findLast((action) => (chosen ? isImportOf(action, chosen) : isNews(action))) ?? null;
  const failedRows = useFailedRows(job);
  /** The lines of the rows that were not imported. They can be corrected while the file is known. */
  const rest = useMemo(
    () => (chosen ? [...(check?.listed ?? []), ...failedRows].map(({ line }) => line) : []),
    [chosen, check, failedRows],
  );

  /** Removes the results of ended imports. One that failed and is not shown here keeps its toast on other pages. */
  function dismiss() {
    for (const { id, state, failed } of imports)
      if (state === 'ended' && (id === job?.id || failed === 0)) void requests.dismiss(id);
  }
  function next() {
    dismiss();
    forget();
  }
  // A result that was read is not shown at the next visit, unless rows of it can be corrected.
  const leave = useEffectEvent(() => job?.state === 'ended' && job.done === job.total && rest.length === 0 && next());
  useEffect(() => () => void leave(), []);

  return {
    job,
    /** An import of the same file that ended before the file was chosen. */
    past: useQuery({ ...pastImportQuery(chosen?.hash ?? ''), enabled: chosen !== undefined && !job }).data ?? null,
    isUndoing: actions.some(({ id, state }) => id === job?.undone_by && state !== 'ended'),
    failedRows,
    rest,
    ...useStableFunctions({
      async choose(given: File) {
        if (job && job.state !== 'ended') return;
        // It has been imported. Beside the error of a new file, it would look like that.
        if (job && rest.length === 0) forget();
        if (await choose(isGeoJson(given) ? tableOf(given) : given, { name: given.name })) dismiss();
      },
      /** Opens the rows that were not imported, to correct and import them. */
      async fixRest() {
        if (!source) return;
        const { chosen, input, foreignIds: _, otherReadings: _readings, ...decisions } = source;
        dismiss();
        // Their lines are those of the file.
        await choose(chosen.file, {
          name: input.only ? chosen.name : restNameOf(chosen.name),
          like: { ...input, ...decisions, only: new Set(rest) },
        });
      },
      next,
    }),
  };
}

/** Rows that passed the dry run but failed at the service. */
function useFailedRows(job: ImportAction | null) {
  const { data } = useQuery({
    ...failedItems(job?.id ?? ''),
    enabled: job?.state === 'ended' && job.failed > 0,
  });
  return useMemo(
    () =>
      (data ?? []).flatMap(({ item, result }) =>
        'line' in item && 'name' in item && result ? [{ line: item.line, name: item.name, result }] : [],
      ),
    [data],
  );
}

/** `quay (rest).csv`: the name says what the file is. */
function restNameOf(name: string): string {
  const end = name.lastIndexOf('.');
  return end > 0 ? `${t.import.job.rest_name(name.slice(0, end))}${name.slice(end)}` : t.import.job.rest_name(name);
}

async function tableOf(file: Blob): Promise<Blob | FileError> {
  if (file.size > largest) return 'too_large';
  const text = await file.text().catch(() => null);
  if (text === null) return 'unreadable';
  const table = tableOfGeoJson(text);
  return typeof table === 'string' ? table : new Blob(table);
}
