import { useState } from 'react';
import type { ReactNode } from 'react';
import type { InvitationRole } from '@swarmdeck/bff/contract';
import { errorSentence } from '../../../api/problem.ts';
import { formatNumber, t, textFor } from '../../../text/text.ts';
import { Box } from '../../../ui/box.tsx';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { IconName } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { RoleSign } from '../../../ui/role-chip.tsx';
import { useNow } from '../../../ui/time.tsx';
import { TruncateMiddle } from '../../../ui/truncate-middle.tsx';
import { daysSince } from '../../../api/server-clock.ts';
import { goToLine } from './codes-field.tsx';
import './invite-check-box.css';
import type { CheckCounts, CheckedLine, Verdict } from './invite-check.ts';
import { errorCodeOf } from './remaining-lines.ts';
import type { Invite } from './use-invite.ts';

const icons: Record<Verdict['kind'], IconName> = {
  ready: 'check',
  again: 'undo',
  twice: 'minus',
  member: 'minus',
  own: 'minus',
  failed: 'close',
  malformed: 'close',
};
const totals = ['ready', 'again', 'left_out', 'malformed'] as const satisfies readonly (keyof CheckCounts)[];
/** More lines are not listed. The totals count all of them. */
const mostShown = 200;

/** The check of each line. On a phone, lines that are ready are listed on request. */
export function InviteCheck({ invite, phone }: { invite: Invite; phone: boolean }) {
  const { checked, counts } = invite;
  const [isWhole, setWhole] = useState(false);
  const needsLook = checked.filter(({ verdict }) => verdict.kind !== 'ready');
  // In a long list, lines that need attention come first.
  const sorted =
    checked.length > mostShown ? [...needsLook, ...checked.filter((line) => !needsLook.includes(line))] : checked;
  const isShort = phone && !isWhole;
  const shown = (isShort ? needsLook : sorted).slice(0, mostShown);
  const hidden = (isShort ? needsLook.length : checked.length) - shown.length;
  return (
    <Box title={t.invite.check}>
      {checked.length === 0 ? (
        <p className="invite-check-note">{t.invite.check_empty}</p>
      ) : (
        <>
          <output className="invite-totals numbers">
            {totals.map((kind) => (
              <span key={kind} className={`invite-total quiet invite-${kind}`}>
                <b>{formatNumber(counts[kind])}</b> {t.invite.counts[kind]}
              </span>
            ))}
          </output>
          <ul className="invite-lines">
            {shown.map((line) => (
              <Line key={line.line} line={line} onRole={(role) => invite.setLineRole(line.line, role)} />
            ))}
          </ul>
          {isShort && needsLook.length < checked.length && (
            <Button wide look="quiet" onClick={() => setWhole(true)}>
              {t.invite.show_ready(checked.length - needsLook.length)}
            </Button>
          )}
          {hidden > 0 && <p className="invite-check-note">{t.invite.more_lines(hidden)}</p>}
          <p className="invite-check-note">{invite.unchecked ? t.invite.members_unknown : t.invite.unknown}</p>
        </>
      )}
    </Box>
  );
}

function Line({ line, onRole }: { line: CheckedLine; onRole(role: InvitationRole): void }) {
  const { verdict } = line;
  const number = formatNumber(line.line);
  return (
    <LineFrame number={number} kind={verdict.kind} icon={icons[verdict.kind]} text={line.text}>
      <Reason line={line} />
      {line.code && <LineRole line={line} number={number} onRole={onRole} />}
      {(verdict.kind === 'malformed' || verdict.kind === 'failed') && (
        <Button look="accent" size="row" aria-label={t.invite.fix_line(number)} onClick={() => goToLine(line.line)}>
          {t.invite.fix}
        </Button>
      )}
    </LineFrame>
  );
}

/** Shows the role of a line. A role that differs from the choice for all lines is written into the line. */
function LineRole({
  line: { role, namesRole },
  number,
  onRole,
}: {
  line: CheckedLine;
  number: string;
  onRole(role: InvitationRole): void;
}) {
  const label = t.invite.role_of_line(number, t.invite.role_names[role]);
  return (
    <Menu
      label={label}
      items={(['producer', 'consumer'] as const).map((each) => ({
        id: each,
        label: t.invite.role_names[each],
        checked: each === role,
        onSelect: () => onRole(each),
      }))}
      renderTrigger={(button) => (
        <Button look="quiet" size="row" aria-label={label} {...button}>
          <RoleSign role={role} />
          <span className={namesRole ? 'invite-line-role' : undefined}>{t.invite.role_names[role]}</span>
          <Icon name="down" size={16} />
        </Button>
      )}
    />
  );
}

function Reason({ line: { verdict, role } }: { line: CheckedLine }) {
  const now = useNow();
  if (verdict.kind === 'ready') return t.invite.ready;
  if (verdict.kind === 'failed') return failureText(verdict.error);
  if (verdict.kind === 'own') return t.invite.own;
  if (verdict.kind === 'member') return t.invite.member[role];
  if (verdict.kind === 'twice') return t.invite.twice(formatNumber(verdict.first));
  if (verdict.kind === 'malformed') return t.invite.code_errors[verdict.error];
  const days = daysSince(verdict.sent_at, now);
  return days < 1 ? t.invite.again_now : t.invite.again(days);
}

/** The reason why an invitation failed, in a few words. */
export function failureText(error: unknown): string {
  return textFor(t.invite.problems, errorCodeOf(error)) ?? errorSentence(error);
}

/** A line of the check or of the result. */
export function LineFrame({
  number,
  kind,
  icon,
  text: code,
  children,
}: {
  /** Null if the line was removed from the list. */
  number: string | null;
  kind: string;
  icon: IconName;
  text: string;
  children: ReactNode;
}) {
  return (
    <li className={`invite-line invite-line-${kind}`}>
      <span className="invite-line-number quiet numbers">
        {number !== null && <span className="visually-hidden">{t.invite.line(number)}</span>}
        <span aria-hidden="true">{number}</span>
      </span>
      <Icon name={icon} size={16} />
      <code dir="ltr" className="invite-line-text one-line">
        <TruncateMiddle text={code.replace(/^https?:\/\/[^/]+/, '…')} />
      </code>
      <span className="invite-line-end">{children}</span>
    </li>
  );
}
