import { linesOf } from '../../../api/jobs/bulk-job.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/box.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { failureText, LineFrame, Total } from './invite-check-box.tsx';
import { openKey } from './invite-check.ts';
import { linesByKey } from './remaining-lines.ts';
import type { SentLine } from './invite.job.tsx';
import type { Invite } from './use-invite.ts';

/** More lines are not listed. The totals count all of them. */
const mostShown = 200;

/** On a phone the result is below the form, out of sight. */
const intoView = (box: HTMLElement | null) => box?.scrollIntoView({ block: 'nearest' });

/** The result of each invitation, until the list is edited or sent again. */
export function InviteResult({ invite }: { invite: Invite }) {
  const { job } = invite;
  const { Progress } = invite.invites;
  if (!job) return null;
  const ended = linesOf(job).filter(({ result }) => result !== null);
  const sent = ended.filter(({ result }) => result?.ok);
  const failed = ended.filter(({ result }) => result && !result.ok);
  const shown = [...failed, ...sent].slice(0, mostShown);
  const hidden = ended.length - shown.length;
  // The first line of each invitation, by the current line numbers.
  const numbers = new Map(linesByKey({ lines: invite.lines, job }).toReversed());
  return (
    <Box key={job.key} ref={intoView} title={t.invite.result}>
      <div className="invite-totals numbers" aria-live="polite">
        <Total kind="sent" count={sent.length} label={t.invite.result_counts.sent} />
        <Total kind="not-sent" count={failed.length} label={t.invite.result_counts.failed} />
      </div>
      <Progress jobKey={job.key} bar />
      <ul className="invite-lines">
        {shown.map((line) => (
          <li key={openKey(line.code, line.role)}>
            <Line line={line} number={numbers.get(openKey(line.code, line.role))} />
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className="invite-check-note">{t.invite.more_lines(hidden)}</p>}
      {failed.length > 0 && !invite.running && <p className="invite-check-note">{t.invite.result_text}</p>}
      {!invite.running && (
        <div className="invite-result-foot">
          <ButtonLink to={`/swarms/${job.about.swarm.id}?tab=invitations`}>{t.invite.to_board}</ButtonLink>
          <Button onClick={invite.next}>{t.invite.next}</Button>
        </div>
      )}
    </Box>
  );
}

function Line({ line, number }: { line: SentLine; number: number | undefined }) {
  const { code, result, again } = line;
  const kind = !result?.ok ? 'failed' : again ? 'sent-again' : 'sent';
  return (
    <LineFrame
      number={number === undefined ? null : formatNumber(number)}
      kind={kind}
      icon={result?.ok ? (again ? 'undo' : 'check') : 'close'}
      text={`${code.to}/${code.resource_id}`}
    >
      {t.shell.roles[line.role]} · {reasonOf(line)}
    </LineFrame>
  );
}

function reasonOf({ result, again }: SentLine): string {
  if (result === null) return '';
  if (result.ok) return again ? t.invite.sent_again : t.invite.sent;
  if ('stopped' in result) return t.invite.stopped;
  return failureText(result.error);
}
