import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionKinds } from '../../contract.ts';
import type { DeviceRecord } from './device-import.ts';
import { faultSentence } from './device-errors.ts';
import { isExportedTime } from '../../core/resources/device-export.ts';
import { Problem } from '../../core/problem.ts';
import { actionLimits } from '../../core/limits/field-rules.ts';
import { StorageError } from '../../core/store/statement.ts';
import type { ImportItem, Operator } from '../operator/operator.ts';

/** The time in ms between two looks at the progress. */
const pollEvery = 100;
const awayMs = 1000;
/** Rows of one action. A user may have twice as many in actions that have not ended. */
const mostAtOnce = actionLimits.items / 2;

const orOverwrite = 'export again, or remove the column changed_at to overwrite';

/**
 * Creates a device for each valid record, or updates the device whose id the record has. The server does it as an action,
 * which goes on if this process ends; a large file becomes several, one after the other.
 */
export async function importDevices(options: {
  operator: Pick<
    Operator,
    'beginImport' | 'putImportPart' | 'startImport' | 'stopImport' | 'readImport' | 'readFailedLines' | 'endImport'
  >;
  user: string;
  about: ActionKinds['import']['about'];
  records: AsyncIterable<DeviceRecord>;
  /** Called with the line, the name if it could be read, and all errors of a record. */
  onFailed: (line: string) => void;
  onProgress: (done: number) => void;
  atOnce?: number;
}): Promise<{ stored: number; updated: number; failed: number }> {
  const { operator, user, about, records, onFailed, onProgress, atOnce = mostAtOnce } = options;
  let items: ImportItem[] = [];
  const ids = new Set<string>();
  const counts = { stored: 0, updated: 0, failed: 0 };

  function fail({ line, name }: { line: number; name?: string | undefined }, reason: string) {
    counts.failed += 1;
    onFailed(`line ${line}: ${name === undefined ? '' : `${JSON.stringify(name)}: `}${reason}`);
  }
  const quoted = (text: string) => `"${text.slice(0, 60)}"`;

  // Reports an unknown user before anything is read.
  await operator.beginImport({ user, about, total: 0 });
  for await (const record of records) {
    if (!('row' in record)) {
      fail(record, record.errors.map(faultSentence).join('; '));
      continue;
    }
    const { line, row, update } = record;
    const { name } = row;
    if (!update) items.push({ line, name, create: row });
    else if (ids.has(update.id)) fail({ line, name }, `id: ${quoted(update.id)} is in the file twice`);
    else if (update.changedAt !== undefined && !isExportedTime(update.changedAt)) {
      fail({ line, name }, `changed_at: ${quoted(update.changedAt)} is not a time as export writes it; ${orOverwrite}`);
    } else {
      const { id, change, changedAt } = update;
      items.push({ line, name, id, update: change, ...(changedAt !== undefined && { changed_at: changedAt }) });
    }
    if (update) ids.add(update.id);
    if (items.length >= atOnce) await importItems();
  }
  await importItems();
  return counts;

  async function importItems() {
    const id = await start();
    if (id === undefined) return;
    const done = await untilEnded(id);
    for (const [part, ofPart] of partsOf(items).entries()) {
      const { failed } = await untilStored(() => operator.readFailedLines({ user, id, part }));
      const problems = new Map(failed.map(({ line, result }) => [line, result]));
      for (const item of ofPart.slice(0, Math.max(0, done - part * actionLimits.part)))
        countDone(item, problems.get(item.line));
    }
    for (const item of items.slice(done)) fail(item, 'not imported, because the import was stopped');
    await untilStored(() => operator.endImport({ user, id }));
    items = [];
  }

  /** Returns how many of its items were executed: all of them, unless the user has stopped it in the app. */
  async function untilEnded(id: string): Promise<number> {
    const before = counts.stored + counts.updated + counts.failed;
    for (;;) {
      const { state, done } = await untilStored(() => operator.readImport({ user, id }));
      onProgress(before + done);
      if (state === 'ended') return done;
      await sleep(pollEvery);
    }
  }

  function countDone(item: ImportItem, problem: { code: string; detail?: string } | undefined) {
    if (!problem) counts['create' in item ? 'stored' : 'updated'] += 1;
    else if (problem.code === 'resource.changed') fail(item, `${problem.detail}; ${orOverwrite}`);
    else if ('update' in item && /not_found|forbidden/.test(problem.code)) {
      fail(item, `id: ${quoted(item.id)} is not a device of the user`);
    } else fail(item, problem.detail ?? problem.code);
  }

  /** Returns the id of the action, undefined if there are no items. */
  async function start(): Promise<string | undefined> {
    const { id } = await operator.beginImport({ user, about, total: items.length });
    if (id === undefined) return undefined;
    try {
      for (const [part, ofPart] of partsOf(items).entries())
        await untilStored(() => operator.putImportPart({ user, id, part, items: ofPart }));
      await untilStored(() => operator.startImport({ user, id }));
    } catch (error) {
      await operator.stopImport({ user, id }).catch(() => {});
      throw error;
    }
    return id;
  }
}

const partsOf = (items: readonly ImportItem[]): ImportItem[][] =>
  Array.from({ length: Math.ceil(items.length / actionLimits.part) }, (_, part) =>
    items.slice(part * actionLimits.part, (part + 1) * actionLimits.part),
  );

/** Tries again while the storage is away, because the action goes on then. */
async function untilStored<Result>(run: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      const isAway =
        (error instanceof Problem && error.code === 'storage.away') ||
        (error instanceof StorageError && error.kind === 'away');
      if (!isAway) throw error;
      await sleep(awayMs);
    }
  }
}
