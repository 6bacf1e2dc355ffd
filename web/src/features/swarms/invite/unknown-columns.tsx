import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import type { ColumnUse, UnknownColumn } from './invite-codes.ts';
import './unknown-columns.css';

interface UnknownColumnsProps {
  columns: readonly UnknownColumn[];
  onUse(uses: readonly (readonly [key: string, use: ColumnUse])[]): void;
}

/** Asks for the use of columns with unknown names. */
export function UnknownColumns({ columns, onUse }: UnknownColumnsProps) {
  if (columns.length === 0) return null;
  const open = columns.filter(({ use }) => use === undefined);
  return (
    <fieldset aria-label={t.invite.columns.label}>
      <Note tone={open.length > 0 ? 'warn' : 'plain'} icon="info">
        <output>{t.invite.columns.title(columns.length)}</output>
        <ul className="stack unknown-columns">
          {columns.map(({ key, name, number, first, use, uses }) => (
            <li key={key} className="line wraps">
              <span className="unknown-column">
                {name === undefined ? (
                  <b className="one-line">{t.invite.columns.number(formatNumber(number ?? 0))}</b>
                ) : (
                  <Bdi className="one-line strong">{name}</Bdi>
                )}
                <small className="quiet one-line">
                  <Rich text={t.invite.columns.first} value={<Bdi>{first}</Bdi>} />
                </small>
              </span>
              <Select<ColumnUse | ''>
                aria-label={t.invite.columns.use_of(name ?? t.invite.columns.number(formatNumber(number ?? 0)))}
                value={use ?? ''}
                options={[
                  ...(use === undefined ? [{ value: '' as const, label: t.invite.columns.choose }] : []),
                  ...uses.map((value) => ({ value, label: t.invite.columns.uses[value] })),
                  { value: 'skip', label: t.invite.columns.uses.skip, quiet: true },
                ]}
                onChange={(next) => next !== '' && onUse([[key, next]])}
              />
            </li>
          ))}
        </ul>
        {open.length > 1 && (
          <Button size="small" onClick={() => onUse(open.map(({ key }) => [key, 'skip']))}>
            {t.invite.columns.skip_all}
          </Button>
        )}
      </Note>
    </fieldset>
  );
}
