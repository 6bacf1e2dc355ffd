import { atTextSize } from '../../ui/browser/media.ts';
import { pageFoot } from '../../ui/pages/page-foot.tsx';
import type { Quota } from '../../ui/fields/quota-note.tsx';
import { CheckBox } from './check/check-box.tsx';
import { ColumnsBox } from './check/columns-box.tsx';
import { NarrowColumnsTable } from './check/columns-table.tsx';
import { ImportActions } from './job/import-actions.tsx';

/** A file on a phone: its rows first, and what is done with them below, where it stays in view. */
export function PhoneImport({ quota }: { quota: Quota }) {
  return (
    <>
      <div className="page-columns import-columns">
        <CheckBox rowHeights={{ invalid: atTextSize(96), changed: atTextSize(116) }} />
        <div className="stack gap-4 import-side">
          <ColumnsBox table={<NarrowColumnsTable />} />
        </div>
      </div>
      <footer ref={pageFoot} className="import-foot">
        <ImportActions quota={quota} />
      </footer>
    </>
  );
}
