import { useMemo, useState } from 'react';
import { deletedRecords } from '../../../data/forms/device-fields.ts';
import type { DeviceForm } from './use-device-editor.tsx';

/** The question before a save deletes what was recorded. */
export function useRecordsQuestion({ base, draft }: Pick<DeviceForm['draft'], 'base' | 'draft'>) {
  const { keep_track, keep_values } = draft;
  const { keep_track: hadTrack, keep_values: hadValues } = base;
  const [isAsking, setAsking] = useState(false);
  return {
    /** What was recorded, and a save deletes. The same list while other fields change. */
    deletes: useMemo(
      () => deletedRecords({ keep_track: hadTrack, keep_values: hadValues }, { keep_track, keep_values }),
      [hadTrack, hadValues, keep_track, keep_values],
    ),
    isAsking,
    setAsking,
  };
}

export type RecordsQuestion = ReturnType<typeof useRecordsQuestion>;
