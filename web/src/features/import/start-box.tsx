import { formatDateTime, formatNumber } from '../../text/text.ts';
import { Box } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/notice.tsx';
import { Rich } from '../../ui/rich.tsx';
import { FileButton } from './choose-file.tsx';
import { words } from './import-words.ts';
import './job-box.css';
import type { Import } from './use-import.ts';

const text = words.start;

/** What will happen, in a sentence beside the button that does it. */
export function StartBox({ page }: { page: Import }) {
  const { source, past } = page;
  const { check } = source;
  const good = check?.good ?? 0;
  const count = formatNumber(good);
  return (
    <Box title={text.title}>
      <div className="job">
        {past && (
          <Note tone="warn" icon="warning">
            <Rich
              text={words.file.before}
              date={formatDateTime(past.at)}
              devices={words.file.devices(past.made, formatNumber(past.made))}
            />
          </Note>
        )}
        {source.fault && (
          <Note tone="bad" icon="warning">
            {words.file.faults[source.fault]}
          </Note>
        )}
        {check && (
          <p>
            {good > 0 ? text.text(good, count) : text.nothing}{' '}
            {good > 0 && check.refused > 0 && text.left(check.refused, formatNumber(check.refused))}
          </p>
        )}
        <div className="job-acts">
          <Button look="primary" disabled={good === 0} onClick={() => void page.start()}>
            {text.start(good, count)}
          </Button>
          <FileButton label={words.file.another} onFile={(file) => void page.choose(file)} />
        </div>
      </div>
    </Box>
  );
}
