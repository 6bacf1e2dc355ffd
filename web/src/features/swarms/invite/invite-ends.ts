import type { Problem } from '@swarmdeck/bff/contract';
import { ProblemError } from '../../../api/problem.ts';
import { withoutLines } from './invite-check.ts';
import { readCodes } from './invite-codes.ts';
import type { InviteCode } from './invite-codes.ts';

/** How one line ended. */
export type LineEnd = { ok: true } | { ok: false; error: unknown } | { ok: false; stopped: true };

/** The same as the browser keeps it: what the service said to it, null where it said nothing. */
export type KeptEnd = 'sent' | { problem: Problem | null };

export function problemOf(end: LineEnd): KeptEnd {
  if (end.ok) return 'sent';
  const { error } = { error: null, ...end };
  return { problem: error instanceof ProblemError ? error.problem : null };
}

export function endOf(kept: KeptEnd): LineEnd {
  if (kept === 'sent') return { ok: true };
  return { ok: false, error: kept.problem && new ProblemError({ problem: kept.problem }) };
}

/**
 * What is left to be sent when a job has ended: of the text it was sent from, all but the lines that were sent, and
 * those that say the same once more. Where another page has sent it, its lines that were not; what somebody has typed
 * meanwhile stays as it is.
 */
export function leftOf(options: {
  text: string;
  job: { text: string | null; lines: readonly { line: number; code: InviteCode; end: LineEnd | null }[] };
}): string {
  const { text, job } = options;
  const isSent = ({ end }: { end: LineEnd | null }) => end?.ok === true;
  if (text === job.text) {
    const sent = job.lines.filter(isSent);
    const codes = new Set(sent.map(({ code }) => codeText(code)));
    const again = readCodes(text).filter((line) => 'code' in line && codes.has(codeText(line.code)));
    return withoutLines(text, new Set([...sent, ...again].map(({ line }) => line)));
  }
  if (text.trim() !== '') return text;
  const left = job.lines.filter((line) => !isSent(line));
  return left.map(({ code }) => codeText(code)).join('\n');
}

const codeText = ({ to, resource_id }: InviteCode) => `${to}/${resource_id}`;
