import { atTextSize } from '../../ui/browser/media.ts';
import type { Quota } from '../../ui/fields/quota-note.tsx';
import { CheckBox } from './check/check-box.tsx';
import { ColumnsBox } from './check/columns-box.tsx';
import { ColumnsTable } from './check/columns-table.tsx';
import { ImportActions } from './job/import-actions.tsx';

/** A file on a desk: its columns beside its rows. */
export function DeskImport({ quota }: { quota: Quota }) {
  return (
    <div className="page-columns import-columns">
      <ColumnsBox table={<ColumnsTable />} />
      <div className="stack gap-4 import-side">
        <CheckBox rowHeights={{ invalid: atTextSize(68), changed: atTextSize(76) }} />
        <ImportActions quota={quota} />
      </div>
    </div>
  );
}
