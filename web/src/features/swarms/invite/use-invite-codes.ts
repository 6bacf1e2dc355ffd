import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { MemberRole, SwarmItem } from '@swarmdeck/bff/contract';
import { checkedSwarm, knownQuery } from '../swarms.api.ts';
import { checkCodes, countChecked, noneKnown, type Problem } from './invite-check.ts';
import { readCodes, withRole, type ColumnAnswers, type ColumnUse } from './invite-codes.ts';

/** The lines of the list, as text and checked against the swarm. */
export function useInviteCodes(options: {
  user_id: string;
  swarm: SwarmItem | undefined;
  /** For lines that name no role. */
  role: MemberRole;
  text: string;
  /** The answers about unknown columns, as a query string. */
  answers: string;
  /** The end that is offered. */
  ends_at: string | undefined;
  /** What the server has rejected of an earlier list. */
  failed: ReadonlyMap<string, Problem> | undefined;
  onText(text: string): void;
  onAnswers(answers: string): void;
}) {
  const { user_id, swarm, role, text, answers, ends_at, failed, onText, onAnswers } = options;
  const owner = swarm?.user_id ?? user_id;
  const isSmall = swarm !== undefined && swarm.member_count <= checkedSwarm;
  const known = useQuery({ ...knownQuery(swarm?.id ?? ''), enabled: isSmall }).data;
  const readText = useSettled(text);
  const { lines, columns } = useMemo(() => readCodes(readText, answersOf(answers)), [readText, answers]);
  const checked = useMemo(
    () => checkCodes({ lines, role, user_id, owner, known: known ?? noneKnown, ends_at, ...(failed && { failed }) }),
    [lines, role, user_id, owner, known, ends_at, failed],
  );
  const counts = useMemo(() => countChecked(checked), [checked]);

  return {
    text,
    edit: {
      change: onText,
      append: (more: string) => onText(withLine(text, more)),
      setLineRole: (line: number, lineRole: MemberRole) =>
        onText(withRole(text, { line, role: lineRole }, answersOf(answers))),
    },
    lines,
    checked,
    counts,
    /** The list is long and has just changed: what is known of its lines is of the text before. */
    isReading: readText !== text,
    /** The swarm is too large to check the lines against it. */
    isUnchecked: swarm !== undefined && !isSmall,
    /** Those with unknown names. */
    columns: {
      all: columns,
      /** How many have no use yet. */
      open: columns.filter(({ use }) => use === undefined).length,
      use(uses: readonly (readonly [key: string, use: ColumnUse])[]) {
        const changed = new URLSearchParams(answers);
        for (const [key, use] of uses) changed.set(key, use);
        onAnswers(changed.toString());
      },
    },
  };
}

export type InviteCodes = ReturnType<typeof useInviteCodes>;

/** In characters: about 500 lines, which take a few milliseconds. */
const longText = 20_000;
/** In ms after the last key. */
const pause = 250;

/** A long text is read when the user pauses: 20,000 lines take longer than a key. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  const isLong = text.length > longText;
  if (!isLong && settled !== text) setSettled(text);
  useEffect(() => {
    if (!isLong) return undefined;
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text, isLong]);
  return isLong ? settled : text;
}

const answersOf = (answers: string) => new Map(new URLSearchParams(answers)) as ColumnAnswers;

/** Appends a line. */
export const withLine = (text: string, more: string) => (text.trim() === '' ? more : `${text.trimEnd()}\n${more}`);
