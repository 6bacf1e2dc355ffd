import { formatNumber, t } from '../../../text/text.ts';
import { resultSentence } from '../../../shared/actions/action-labels.tsx';
import { ActionProgress } from '../../../shared/actions/action-progress.tsx';
import { Box } from '../../../ui/pages/box.tsx';
import { Button, ButtonLink } from '../../../ui/buttons/button.tsx';
import { LineFrame, Total } from './invite-check-box.tsx';
import { codeLine } from './invite-codes.ts';
import { keyOf, linesByKey, type SentLine } from './remaining-lines.ts';
import type { InviteCodes } from './use-invite-codes.ts';
import type { Invite } from './use-invite.ts';

/** More lines are not listed. The totals count all of them. */
const mostShown = 200;

/** On a phone the result is below the form, out of sight. */
const intoView = (box: HTMLElement | null) => box?.scrollIntoView({ block: 'nearest' });

/** The result of each invitation, until the list is edited or sent again. */
export function InviteResult({ sending, lines: current }: Pick<Invite, 'sending'> & Pick<InviteCodes, 'lines'>) {
  const { action, sent: lines = [], running, next } = sending;
  if (!action) return null;
  const { about, total, done, failed, state } = action;
  const sent = state === 'uploading' ? 0 : done - failed;
  const notSent = running ? failed : total - sent;
  const shown = lines.toSorted((one, other) => Number(one.result === null) - Number(other.result === null));
  // The first line of each invitation, by the current line numbers.
  const numbers = new Map(linesByKey({ lines: current, sent: lines }).toReversed());
  const isInList = lines.some((line) => line.result !== null && numbers.has(keyOf(line)));
  return (
    <Box key={action.id} ref={intoView} title={t.invite.result}>
      <div className="line wraps box-part totals numbers" aria-live="polite">
        <Total kind="sent" count={sent} label={t.invite.result_counts.sent} />
        <Total kind="not-sent" count={notSent} label={t.invite.result_counts.failed} />
      </div>
      {running && <ActionProgress action={action} />}
      <ul>
        {shown.slice(0, mostShown).map((line) => (
          <li key={keyOf(line)}>
            <Line line={line} number={numbers.get(keyOf(line))} />
          </li>
        ))}
      </ul>
      {shown.length > mostShown && <p className="box-part quiet">{t.invite.more_lines(shown.length - mostShown)}</p>}
      {isInList && !running && <p className="box-part quiet">{t.invite.result_text}</p>}
      {!running && (
        <div className="line wraps box-part">
          <ButtonLink to={`/swarms/${about.swarm.id}?tab=invitations`}>{t.invite.to_board}</ButtonLink>
          <Button onClick={next}>{t.invite.next}</Button>
        </div>
      )}
    </Box>
  );
}

function Line({ line, number }: { line: SentLine; number: number | undefined }) {
  const { resource_type, label, result } = line;
  const isSent = result === null;
  return (
    <LineFrame
      number={number === undefined ? null : formatNumber(number)}
      kind={isSent ? 'sent' : 'failed'}
      icon={isSent ? 'check' : 'close'}
      text={codeLine(line)}
      label={label}
    >
      {t.shell.roles[resource_type]} ·{' '}
      {isSent ? t.invite.sent : result ? resultSentence('invite', result) : t.invite.stopped}
    </LineFrame>
  );
}
