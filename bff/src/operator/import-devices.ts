import type { DeviceRecord } from '../device-files/device-csv.ts';
import { faultSentence } from '../device-files/device-errors.ts';
import type { Operator } from './operator.ts';

const batchSize = 500;

type Valid = Extract<DeviceRecord, { row: unknown }>;
type WithId = Valid & { update: object };

/** The only form of a time that `export` writes; a spreadsheet may have rewritten it in a local one. */
const exportedTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const orOverwrite = 'export again, or remove the column changed_at to overwrite';

/**
 * Creates a device for each valid record, or updates the device whose id the record has. A batch is acknowledged before
 * the next one is sent. A device that was changed after the row's `changed_at` stays as it is. Throws if the user does
 * not exist or a write fails; what was written so far stays.
 */
export async function importDevices({
  operator,
  user,
  records,
  onRefused,
  onProgress,
}: {
  operator: Operator;
  user: string;
  records: AsyncIterable<DeviceRecord>;
  /** Called with the line, the name if it could be read, and all errors of a refused record. */
  onRefused: (line: string) => void;
  onProgress: (ended: number) => void;
}): Promise<{ stored: number; changed: number; unchanged: number; refused: number }> {
  const counts = { stored: 0, changed: 0, unchanged: 0, refused: 0 };
  const ids = new Set<string>();
  let batch: Valid[] = [];

  async function send() {
    const updates = batch.filter(hasId);
    const devices = batch.flatMap((record) => (hasId(record) ? [] : [record.row]));
    const changes = updates.map(({ update }) => update);
    const { missing, newer, unchanged } = await operator.importDevices({ user, devices, updates: changes });
    counts.stored += devices.length;
    counts.unchanged += unchanged;
    counts.changed += updates.length - unchanged - missing.length - newer.length;
    for (const record of updates) {
      const { id } = record.update;
      const changed = newer.find((device) => device.id === id);
      if (missing.includes(id)) refuseId(record, 'is not a device of the user');
      if (changed) refuse(record, `was changed after the export, at ${changed.changedAt}; ${orOverwrite}`);
    }
    batch = [];
    onProgress(counts.stored + counts.changed + counts.unchanged);
  }
  function refuse({ line, row }: Valid, reason: string) {
    counts.refused += 1;
    onRefused(`line ${line}: ${JSON.stringify(row.name)}: ${reason}`);
  }
  const refuseId = (record: WithId, reason: string) =>
    refuse(record, `id: "${record.update.id.slice(0, 60)}" ${reason}`);

  // Reports an unknown user before anything is read.
  await send();
  for await (const record of records) {
    if (!('row' in record)) {
      counts.refused += 1;
      onRefused(refusal(record));
      continue;
    }
    if (hasId(record)) {
      if (ids.has(record.update.id)) {
        refuseId(record, 'is in the file twice');
        continue;
      }
      ids.add(record.update.id);
      const { changedAt } = record.update;
      if (changedAt !== undefined && !exportedTime.test(changedAt)) {
        refuse(record, `changed_at: "${changedAt.slice(0, 60)}" is not a time as export writes it; ${orOverwrite}`);
        continue;
      }
    }
    batch.push(record);
    if (batch.length >= batchSize) await send();
  }
  if (batch.length > 0) await send();
  return counts;
}

const hasId = (record: Valid): record is WithId => record.update !== undefined;

function refusal({ line, name, errors }: Extract<DeviceRecord, { errors: unknown }>): string {
  return `line ${line}: ${name === undefined ? '' : `${JSON.stringify(name)}: `}${errors.map(faultSentence).join('; ')}`;
}
