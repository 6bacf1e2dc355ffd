import { formatNumber } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/notice.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { Select } from '../../../ui/select.tsx';
import { words } from '../swarm-words.ts';
import type { ColumnUse, UnknownColumn } from './invite-codes.ts';
import './unknown-columns.css';

const text = words.inviting.columns;

/** Asks what the columns are for that have no known name. */
export function UnknownColumns({
  columns,
  onUse,
}: {
  columns: readonly UnknownColumn[];
  onUse(uses: readonly (readonly [key: string, use: ColumnUse])[]): void;
}) {
  if (columns.length === 0) return null;
  const open = columns.filter(({ use }) => use === undefined);
  return (
    <fieldset aria-label={text.label}>
      <Note tone={open.length > 0 ? 'warn' : 'plain'} icon="info">
        <output>{text.title(columns.length, formatNumber(columns.length))}</output>
        <ul className="unknown-columns">
          {columns.map(({ key, name, number, first, use, uses }) => (
            <li key={key}>
              <span className="unknown-column">
                {name === undefined ? <b>{text.number(formatNumber(number ?? 0))}</b> : <bdi>{name}</bdi>}
                <small>
                  <Rich text={text.first} value={<bdi>{first}</bdi>} />
                </small>
              </span>
              <Select<ColumnUse | ''>
                aria-label={text.use_of(name ?? text.number(formatNumber(number ?? 0)))}
                value={use ?? ''}
                options={[
                  ...(use === undefined ? [{ value: '' as const, label: text.choose }] : []),
                  ...uses.map((value) => ({ value, label: text.uses[value] })),
                  { value: 'skip', label: text.uses.skip, quiet: true },
                ]}
                onChange={(next) => next !== '' && onUse([[key, next]])}
              />
            </li>
          ))}
        </ul>
        {open.length > 1 && (
          <Button size="small" onClick={() => onUse(open.map(({ key }) => [key, 'skip']))}>
            {text.skip_all}
          </Button>
        )}
      </Note>
    </fieldset>
  );
}
