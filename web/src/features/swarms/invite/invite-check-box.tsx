import { useMemo, type ReactNode } from 'react';
import type { MemberRole, Swarm } from '@swarmdeck/bff/contract';
import { resultSentence } from '../../../shared/actions/action-labels.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/pages/box.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { Icon, type IconName } from '../../../ui/symbols/icon.tsx';
import { Menu } from '../../../ui/dialogs/menu.tsx';
import { Rich } from '../../../ui/texts/rich.tsx';
import { RoleSign } from '../../../ui/symbols/role-chip.tsx';
import { Link } from '../../../ui/urls/router.tsx';
import { useNow } from '../../../ui/texts/time.tsx';
import { TruncateMiddle } from '../../../ui/texts/truncate-middle.tsx';
import { listRows } from '../../../ui/lists/list-rows.ts';
import { VirtualList } from '../../../ui/lists/virtual-list.tsx';
import { daysSince } from '../../../data/server-clock.ts';
import { EndTime } from '../../../shared/ends/until-date.tsx';
import { CodeLabel } from '../../../shared/code-label.tsx';
import { goToLine } from './codes-field.tsx';
import { codeLine } from './invite-codes.ts';
import './invite-check-box.css';
import { hasOneRole, type CheckCounts, type CheckedLine, type Verdict } from './invite-check.ts';
import type { InviteCodes } from './use-invite-codes.ts';

const icons: Record<Verdict['kind'], IconName> = {
  ready: 'check',
  later: 'clock',
  other_role: 'clock',
  again: 'undo',
  twice: 'minus',
  pair: 'minus',
  member: 'minus',
  own: 'minus',
  failed: 'close',
  malformed: 'close',
};
const totals = ['ready', 'again', 'left_out', 'malformed'] as const satisfies readonly (keyof CheckCounts)[];
/** A longer list is not in the order of its lines. */
const mostInOrder = 200;

interface InviteCheckProps {
  codes: Pick<InviteCodes, 'checked' | 'counts' | 'isUnchecked'> & { edit: Pick<InviteCodes['edit'], 'setLineRole'> };
  /** The swarm that was chosen. */
  swarm: Pick<Swarm, 'id'> | undefined;
  /** The lines of `codes` that are listed. */
  shown: readonly CheckedLine[];
  /** In px. */
  rowHeight: number;
  /** After the lines. */
  children?: ReactNode;
}

/** The check of each line. */
export function InviteCheck({ codes, swarm, shown, rowHeight, children }: InviteCheckProps) {
  const { checked, counts } = codes;
  const rows = useMemo(() => listRows(shown.map(({ line, role }) => ({ id: `${line}-${role}` }))), [shown]);
  const renderRow = (row: number, tabIndex: 0 | -1) => {
    const line = shown[row];
    const id = rows.at(row)?.id;
    if (!line || id === undefined) return null;
    return (
      <InviteLine
        id={id}
        tabIndex={tabIndex}
        line={line}
        onRole={(role) => codes.edit.setLineRole(line.line, role)}
        onFix={goToLine}
      />
    );
  };
  return (
    <Box title={t.invite.check}>
      {checked.length === 0 ? (
        <p className="box-part quiet">{t.invite.check_empty}</p>
      ) : (
        <>
          <output className="line wraps box-part totals numbers">
            {totals.map((kind) => (
              <Total key={kind} kind={kind} count={counts[kind]} label={t.invite.counts[kind]} />
            ))}
          </output>
          {shown.length > 0 && (
            <VirtualList className="invite-rows" sections={[{ label: t.invite.check, rows, rowHeight, renderRow }]} />
          )}
          {children}
          {checked.some(isNoCode) && (
            <p className="box-part">
              <Rich
                text={t.invite.without_code}
                link={
                  swarm ? (
                    <Link to={`/swarms/${swarm.id}?tab=links`}>{t.invite.create_link}</Link>
                  ) : (
                    t.invite.create_link
                  )
                }
              />
            </p>
          )}
          <p className="box-part quiet">{codes.isUnchecked ? t.invite.members_unknown : t.invite.unknown}</p>
        </>
      )}
    </Box>
  );
}

/** For example a bare user name. */
const isNoCode = ({ verdict }: CheckedLine) => verdict.kind === 'malformed' && verdict.error === 'no_separator';

const isReady = (line: CheckedLine) => line.verdict.kind === 'ready' && !hasOneRole(line);

/** The lines that are not simply sent. */
export const needsLook = (checked: readonly CheckedLine[]) => checked.filter((line) => !isReady(line));

/** All lines. Of many, those that need attention come first. */
export const inOrder = (checked: readonly CheckedLine[]) =>
  checked.length > mostInOrder ? [...needsLook(checked), ...checked.filter(isReady)] : checked;

const tones: Record<string, string> = {
  ready: 'good',
  sent: 'good',
  again: 'warn',
  malformed: 'bad',
  'not-sent': 'bad',
};

/** A number with its name. Zero is quiet. */
export function Total({ kind, count, label }: { kind: string; count: number; label: string }) {
  return (
    <span className={`quiet total-${count > 0 ? (tones[kind] ?? 'other') : 'none'}`}>
      <b>{formatNumber(count)}</b> {label}
    </span>
  );
}

interface LineProps {
  id: string;
  tabIndex: 0 | -1;
  line: CheckedLine;
  onRole(role: MemberRole): void;
  onFix?: ((line: number) => void) | undefined;
  /** Instead of the text of its code. */
  text?: string;
}

/** A device of the list: what its code says, its role, and whether it can be invited. */
export function InviteLine({ id, tabIndex, line, onRole, onFix, text }: LineProps) {
  const { verdict, code } = line;
  const number = formatNumber(line.line);
  return (
    <LineFrame
      number={number}
      kind={verdict.kind}
      icon={icons[verdict.kind]}
      text={text ?? (line.label ? codeLine(code!) : line.text)}
      label={line.label}
    >
      <span className="lines invite-reason">
        <Reason line={line} />
      </span>
      {code && <LineRole id={id} tabIndex={tabIndex} line={line} onRole={onRole} />}
      {onFix && (verdict.kind === 'malformed' || verdict.kind === 'failed') && (
        <Button
          look="accent"
          size="row"
          tabIndex={tabIndex}
          {...(!code && { 'data-row': id })}
          aria-label={t.invite.fix_line(number)}
          onClick={() => onFix(line.line)}
        >
          {t.invite.fix}
        </Button>
      )}
    </LineFrame>
  );
}

/** Shows the role of a line. A role that differs from the choice for all lines is written into the line. */
function LineRole({ id, tabIndex, line: { line, role, namesRole }, onRole }: Omit<LineProps, 'onFix'>) {
  const label = t.invite.role_of_line(formatNumber(line), t.invite.role_names[role]);
  return (
    <Menu
      label={label}
      items={(['producer', 'consumer', 'both'] as const).map((each) => ({
        id: each,
        label: t.invite.role_names[each],
        checked: each === role,
        onSelect: () => onRole(each),
      }))}
      renderTrigger={(button) => (
        <Button look="quiet" size="row" data-row={id} tabIndex={tabIndex} aria-label={label} {...button}>
          <RoleSign role={role} />
          <span className={namesRole ? 'strong' : undefined}>{t.invite.role_names[role]}</span>
          <Icon name="down" size={16} />
        </Button>
      )}
    />
  );
}

function Reason({ line }: { line: CheckedLine }) {
  const now = useNow();
  const { verdict, role } = line;
  if (verdict.kind === 'ready' && hasOneRole(line)) return t.invite.missing[line.sent];
  if (verdict.kind === 'ready') return t.invite.ready;
  if (verdict.kind === 'later') return <Rich text={t.invite.later} date={<EndTime at={verdict.ends_at} />} />;
  if (verdict.kind === 'other_role') {
    const { ends_at, becomes } = verdict;
    return <Rich text={t.invite.other_role[becomes]} date={ends_at && <EndTime at={ends_at} />} />;
  }
  if (verdict.kind === 'failed') return resultSentence('invite', verdict.problem);
  if (verdict.kind === 'own') return t.invite.own;
  if (verdict.kind === 'member') return t.invite.member[role];
  if (verdict.kind === 'twice') return t.invite.twice(formatNumber(verdict.first));
  if (verdict.kind === 'pair') return t.invite.pair(formatNumber(verdict.first));
  if (verdict.kind === 'malformed') return t.invite.code_errors[verdict.error];
  if (verdict.kept) return t.invite.again_without[verdict.kept];
  const days = daysSince(verdict.sent_at, now);
  return days < 1 ? t.invite.again_now : t.invite.again(days);
}

interface LineFrameProps {
  /** Null if the line was removed from the list. */
  number: string | null;
  kind: string;
  icon: IconName;
  text: string;
  /** What the code says about the device. */
  label?: string | undefined;
  children: ReactNode;
}

/** A line of the check or of the result. */
export function LineFrame({ number, kind, icon, text: code, label, children }: LineFrameProps) {
  return (
    <div className={`line gap-3 invite-line invite-line-${kind}`}>
      <span className="invite-line-number quiet numbers">
        {number !== null && <span className="visually-hidden">{t.invite.line(number)}</span>}
        <span aria-hidden="true">{number}</span>
      </span>
      <Icon name={icon} size={16} />
      <span className="invite-line-text one-line">
        {label !== undefined && <CodeLabel label={label} />}
        <code dir="ltr" className={label === undefined ? 'one-line' : 'one-line quiet'}>
          <TruncateMiddle text={code.replace(/^https?:\/\/[^/]+/, '…')} />
        </code>
      </span>
      <span className="line quiet invite-line-end">{children}</span>
    </div>
  );
}
