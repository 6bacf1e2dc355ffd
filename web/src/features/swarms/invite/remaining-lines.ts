import { openKey, withoutLines } from './invite-check.ts';
import type { CodeLine } from './invite-codes.ts';
import type { InviteJob, SentLine } from './invite.job.tsx';
import { ProblemError, errorParts } from '../../../api/problem.ts';

/**
 * The text after a job has ended. If the job was made from this text, lines with sent invitations are removed, and
 * headers without rows. An empty text gets the lines that another page could not send. Any other text is being edited
 * and stays.
 */
export function leftOf({
  text,
  isSent,
  lines,
  job,
}: {
  text: string;
  /** The job was made from this text. */
  isSent: boolean;
  /** The lines of the text. */
  lines: readonly CodeLine[];
  job: Pick<InviteJob, 'about'> & { lines: readonly SentLine[] };
}): string {
  if (isSent) {
    const sent = new Set(job.lines.flatMap(({ code, role, result }) => (result?.ok ? [openKey(code, role)] : [])));
    const removed = linesByKey({ lines, job }).filter(([key]) => sent.has(key));
    if (removed.length === lines.length) return '';
    const numbers = new Set(removed.map(([, line]) => line));
    // A line with both roles stays until both are sent.
    for (const [key, line] of linesByKey({ lines, job })) if (!sent.has(key)) numbers.delete(line);
    return withoutLines(text, numbers);
  }
  if (text.trim() !== '') return text;
  const left = job.lines.filter(({ result }) => !result?.ok);
  return left.map(({ code, role }) => `${code.to},${code.resource_id},${role}`).join('\n');
}

/** The line numbers by the invitation that a job would make of the line. */
export function linesByKey({
  lines,
  job,
}: {
  lines: readonly CodeLine[];
  job: Pick<InviteJob, 'about'>;
}): [key: string, line: number][] {
  return lines.flatMap((read) =>
    'code' in read ? [[openKey(read.code, read.role ?? job.about.role), read.line] as [string, number]] : [],
  );
}

/** Codes of errors of the invitation itself: sending it again would fail again. */
const permanent = new Set([
  'resource.not_theirs',
  'invitation.to_yourself',
  'membership.exists',
  'swarm.not_found',
  'swarm.forbidden',
]);

/** The permanent errors of invitations, by `openKey`. */
export function failuresOf(lines: readonly SentLine[]): Map<string, unknown> {
  return new Map(
    lines.flatMap(({ code, role, result }): [string, unknown][] => {
      const error = result && 'error' in result ? result.error : undefined;
      return permanent.has(errorCodeOf(error)) ? [[openKey(code, role), error]] : [];
    }),
  );
}

/** The error code of the first rejected field, else of the whole request. It selects the short message. */
export function errorCodeOf(error: unknown): string {
  const [field] = error instanceof ProblemError ? (error.problem.errors ?? []) : [];
  return field?.code ?? errorParts(error).code;
}
