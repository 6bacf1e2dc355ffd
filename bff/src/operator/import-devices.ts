import type { ResourceCreate } from '../contract.ts';
import type { DeviceRecord } from '../import/device-csv.ts';
import { faultSentence } from '../import/device-fault.ts';
import type { Operator } from './operator.ts';

const batchSize = 500;

/**
 * Creates a device for each valid record. A batch is acknowledged before the next one is sent. Throws if the user does
 * not exist or a write fails; the devices created so far stay.
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
  onProgress: (stored: number) => void;
}): Promise<{ stored: number; refused: number }> {
  let stored = 0;
  let refused = 0;
  let batch: ResourceCreate[] = [];

  async function send() {
    await operator.importDevices({ user, devices: batch });
    stored += batch.length;
    batch = [];
    onProgress(stored);
  }

  // Reports an unknown user before anything is read.
  await send();
  for await (const record of records) {
    if ('row' in record) {
      batch.push(record.row);
      if (batch.length >= batchSize) await send();
    } else {
      refused += 1;
      onRefused(refusal(record));
    }
  }
  if (batch.length > 0) await send();
  return { stored, refused };
}

function refusal({ line, name, errors }: Extract<DeviceRecord, { errors: unknown }>): string {
  return `line ${line}: ${name === undefined ? '' : `${JSON.stringify(name)}: `}${errors.map(faultSentence).join('; ')}`;
}
