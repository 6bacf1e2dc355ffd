import type { ReactNode } from 'react';
import { errorParts } from '../../../api/problem.ts';
import { formatNumber, problemSentence, t, textFor } from '../../../text/text.ts';
import { Box } from '../../../ui/box.tsx';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { IconName } from '../../../ui/icon.tsx';
import { useNow } from '../../../ui/time.tsx';
import { TruncateMiddle } from '../../../ui/truncate-middle.tsx';
import { daysSince } from '../days-since.ts';
import { goToLine } from './codes-field.tsx';
import './invite-check-box.css';
import type { CheckCounts, CheckedLine, Verdict } from './invite-check.ts';
import { refusalCode } from './refusal-code.ts';
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

/** The check of each line. On a phone only lines that are not ready are listed. */
export function InviteCheck({ invite, phone }: { invite: Invite; phone: boolean }) {
  const { checked, counts } = invite;
  const needsLook = checked.filter(({ verdict }) => verdict.kind !== 'ready');
  // In a long list, lines that need attention come first.
  const sorted =
    checked.length > mostShown ? [...needsLook, ...checked.filter((line) => !needsLook.includes(line))] : checked;
  const shown = (phone ? needsLook : sorted).slice(0, mostShown);
  const hidden = (phone ? needsLook.length : checked.length) - shown.length;
  return (
    <Box title={t.invite.check}>
      {checked.length === 0 ? (
        <p className="invite-check-note">{t.invite.check_empty}</p>
      ) : (
        <>
          <output className="invite-totals numbers">
            {totals.map((kind) => (
              <span key={kind} className={`invite-total invite-${kind}`}>
                <b>{formatNumber(counts[kind])}</b> {t.invite.counts[kind]}
              </span>
            ))}
          </output>
          <ul className="invite-lines">
            {shown.map((line) => (
              <Line key={line.line} line={line} />
            ))}
          </ul>
          {hidden > 0 && <p className="invite-check-note">{t.invite.more_lines(hidden)}</p>}
          <p className="invite-check-note">{invite.unchecked ? t.invite.members_unknown : t.invite.unknown}</p>
        </>
      )}
    </Box>
  );
}

function Line({ line }: { line: CheckedLine }) {
  const { verdict } = line;
  const number = formatNumber(line.line);
  return (
    <LineFrame number={number} kind={verdict.kind} icon={icons[verdict.kind]} text={line.text}>
      <Reason line={line} />
      {(verdict.kind === 'malformed' || verdict.kind === 'failed') && (
        <Button look="accent" size="row" aria-label={t.invite.fix_line(number)} onClick={() => goToLine(line.line)}>
          {t.invite.fix}
        </Button>
      )}
    </LineFrame>
  );
}

function Reason({ line: { verdict, role, namesRole } }: { line: CheckedLine }) {
  const now = useNow();
  if (verdict.kind === 'ready') return namesRole ? t.invite.ready_as[role] : t.invite.ready;
  if (verdict.kind === 'failed') return failureText(verdict.error);
  if (verdict.kind === 'own') return t.invite.own;
  if (verdict.kind === 'member') return t.invite.member[role];
  if (verdict.kind === 'twice') return t.invite.twice(formatNumber(verdict.first));
  if (verdict.kind === 'malformed') return t.invite.faults[verdict.fault];
  const days = daysSince(verdict.sent_at, now);
  return days < 1 ? t.invite.again_now : t.invite.again(days);
}

/** The reason why an invitation failed, in a few words. */
export function failureText(error: unknown): string {
  return textFor(t.invite.problems, refusalCode(error)) ?? problemSentence(errorParts(error));
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
      <span className="invite-line-number numbers">
        {number !== null && <span className="visually-hidden">{t.invite.line(number)}</span>}
        <span aria-hidden="true">{number}</span>
      </span>
      <Icon name={icon} size={16} />
      <code dir="ltr" className="invite-line-text">
        <TruncateMiddle text={code.replace(/^https?:\/\/[^/]+/, '…')} />
      </code>
      <span className="invite-line-end">{children}</span>
    </li>
  );
}
