/** What the kinds of actions are called on the screen. data/actions/action-kinds.ts has what they do. */
import type { ReactNode } from 'react';
import type {
  Action,
  ActionItem,
  ActionKind,
  ActionKinds,
  ActionOf,
  ActionResult,
  ActionSwarm,
  NamedItem,
} from '@swarmdeck/bff/contract';
import { joinList } from '../../text/formats.ts';
import { problemSentence, t, textFor } from '../../text/text.ts';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { Link } from '../../ui/urls/router.tsx';
import { UntilDate } from '../ends/until-date.tsx';
import { ActionSentence } from './action-sentence.tsx';

interface ActionLabels<Kind extends ActionKind> {
  /** While it is pending or runs: "Deleting Sensor 3", "Deleting 12 devices". */
  label(action: ActionOf<Kind>): ReactNode;
  /** When items were executed: "12 devices deleted". `changed`: how many of their records have changed. */
  doneLabel(action: ActionOf<Kind>, changed: number): ReactNode;
  /** "3 devices were not deleted". */
  failedLabel(action: ActionOf<Kind>): string;
}

/** The texts of a kind. They may contain placeholders; `count` is a number of items. */
interface KindTexts {
  one: string;
  one_done: string;
  many(count: number): string;
  many_done(count: number): string;
  failed(count: number): string;
}

/**
 * The labels of a kind: with the names of an action of one item, otherwise with the number of items. `names` fills the
 * placeholders.
 */
function createLabels<Kind extends ActionKind>(
  texts: (action: ActionOf<Kind>) => KindTexts,
  names: (item: ActionItem<Kind> | undefined, about: ActionKinds[Kind]['about']) => Record<string, string>,
): ActionLabels<Kind> {
  function label({ about, items, total }: ActionOf<Kind>, one: string, many: string): ReactNode {
    const item = total === 1 ? items?.[0] : undefined;
    const isolated = Object.entries(names(item, about)).map(([name, text]) => [name, <Bdi key={name}>{text}</Bdi>]);
    return <Rich text={item ? one : many} {...(Object.fromEntries(isolated) as Record<string, ReactNode>)} />;
  }
  return {
    label: (action) => label(action, texts(action).one, texts(action).many(action.total)),
    doneLabel: (action, changed) => label(action, texts(action).one_done, texts(action).many_done(changed)),
    failedLabel: (action) => texts(action).failed(action.failed),
  };
}

/** Its progress says that it is uploaded. */
const importText = ({ state }: ActionOf<'import'>) =>
  t.import.job[state === 'ended' ? 'done' : state === 'uploading' ? 'running' : state];

/** With the end that the user has chosen. */
const untilEnd = ({ label, doneLabel, failedLabel }: ActionLabels<'answer'>): ActionLabels<'answer'> => ({
  label: (action) => withEnd(label(action), action),
  doneLabel: (action, changed) => withEnd(doneLabel(action, changed), action),
  failedLabel,
});
const withEnd = (label: ReactNode, { about: { ends_at } }: ActionOf<'answer'>) =>
  ends_at === undefined ? (
    label
  ) : (
    <>
      {label}, <UntilDate at={ends_at} />
    </>
  );

const nameOf = (item?: NamedItem) => ({ name: item?.name ?? '' });
const nameAndSwarm = (item: NamedItem | undefined, { swarm }: { swarm: ActionSwarm }) => ({
  ...nameOf(item),
  swarm: swarm.name,
});
/** The texts of what is answered or withdrawn: invitations, unless all items are requests or offers of a later end. */
function wordsFor<Words>(
  { items = [] }: ActionOf<'answer' | 'withdraw'>,
  words: { invitations: Words; requests: Words; later_ends: Words },
): Words {
  if (items.length > 0 && items.every(({ is_request }) => is_request)) return words.requests;
  return items.length > 0 && items.every(({ is_later_end }) => is_later_end) ? words.later_ends : words.invitations;
}

const labels: { [Kind in ActionKind]: ActionLabels<Kind> } = {
  answer: untilEnd(
    createLabels(
      (action) =>
        wordsFor(action, {
          invitations: t.invitations.answers,
          requests: t.requests,
          later_ends: t.invitations.later_end.answers,
        })[action.about.answer],
      (item) => ({ swarm: item?.swarm ?? '', device: item?.name ?? '' }),
    ),
  ),
  withdraw: createLabels(
    (action) =>
      wordsFor(action, {
        invitations: t.board.kinds.withdraw,
        requests: t.requests.withdraw,
        later_ends: t.board.kinds.withdraw_later_end,
      }),
    (item) => ({ to: item?.name ?? '', device: item?.name ?? '' }),
  ),
  invite_again: createLabels(
    () => t.board.kinds.invite_again,
    (item) => ({ to: item?.name ?? '' }),
  ),
  invite: createLabels(
    () => t.invite.kind,
    (_item, { swarm }) => ({ swarm: swarm.name }),
  ),
  join: createLabels(() => t.links.kind, nameAndSwarm),
  ask_to_join: createLabels(() => t.requests.kind, nameAndSwarm),
  add_member: createLabels(() => t.bulk.kinds.add_member, nameAndSwarm),
  change_role: createLabels(() => t.bulk.kinds.change_role, nameAndSwarm),
  narrow_role: createLabels(() => t.bulk.kinds.change_role, nameAndSwarm),
  remove_member: createLabels(() => t.bulk.kinds.remove_member, nameAndSwarm),
  extend_member: createLabels(() => t.bulk.kinds.extend_member, nameAndSwarm),
  offer_end: createLabels(() => t.bulk.kinds.offer_end, nameAndSwarm),
  import: {
    label: (action) => (
      <Link to="/import">
        <FileText action={action} text={importText(action)} />
      </Link>
    ),
    doneLabel: (action) => <FileText action={action} text={t.import.job.done} />,
    failedLabel: ({ failed }) => t.import.job.failed(failed),
  },
  update: createLabels(() => t.bulk.kinds.update, nameOf),
  edit: createLabels(() => t.bulk.kinds.update, nameOf),
  delete: createLabels(() => t.bulk.kinds.delete, nameOf),
  delete_swarm: createLabels(() => t.bulk.kinds.delete_swarm, nameOf),
  delete_view: createLabels(() => t.bulk.kinds.delete_view, nameOf),
  undo: {
    label: ({ about: { kind, of }, total }) => (
      <Rich text={t.activity.actions.undoing} action={<ActionSentence kind={kind} about={of} count={total} />} />
    ),
    doneLabel: ({ about: { kind, of } }, changed) => (
      <Rich text={t.activity.actions.undo} action={<ActionSentence kind={kind} about={of} count={changed} />} />
    ),
    failedLabel(action) {
      const [whole, part] = hasOnlyKept(action)
        ? (['undo_kept', 'undo_partly_kept'] as const)
        : (['undo_failed', 'undo_partly_failed'] as const);
      return t.activity.actions[mayBePartlyUndone(action) ? part : whole](action.failed);
    },
  },
};

const FileText = ({ action: { about }, text }: { action: ActionOf<'import'>; text: string }) => (
  <Rich text={text} file={<Bdi>{about.file}</Bdi>} />
);

export const labelsOf = ({ kind }: Pick<Action, 'kind'>) => labels[kind] as ActionLabels<ActionKind>;

/** Short texts of a kind. */
const problemsOf: { [Kind in ActionKind]?: () => Readonly<Record<string, string>> } = {
  invite: () => t.invite.problems,
  join: () => t.links.problems,
  offer_end: () => t.bulk.offer_end_problems,
};

/** Whether its inverse puts back fields, each on its own. */
const putsBackFields: readonly ActionKind[] = ['edit', 'update', 'import'];

const undoneByField: readonly string[] = ['action.partly_undone', 'action.changed_since'];

/** Whether an undo that has failed may have put back some fields of the items. Large actions come without their results. */
export const mayBePartlyUndone = ({ about, results }: ActionOf<'undo'>): boolean =>
  putsBackFields.includes(about.kind) &&
  (!results || results.some((result) => result?.code === 'action.partly_undone'));

/** Whether all that an undo has not done was left alone, because it had changed since: nothing has gone wrong. */
export const hasOnlyKept = ({ failed, kept = 0 }: Pick<Action, 'failed' | 'kept'>): boolean =>
  kept > 0 && kept === failed;

/** The same of one item. */
export const isKept = (result: ActionResult | undefined): boolean => !!result && undoneByField.includes(result.code);

/** What an undo has put back of a record, and what it has left alone. */
function putBackSentence(errors: { pointer: string; code: string }[]): string {
  const say = t.activity.actions;
  const fields: Record<string, string> = t.device.conflict.fields;
  const named = (code: string) =>
    joinList(errors.filter((error) => error.code === code).map(({ pointer }) => fields[pointer.slice(1)] ?? pointer));
  const [putBack, kept] = [named('put_back'), named('changed_since')];
  return [putBack && say.put_back(putBack), kept && say.kept(kept)].filter(Boolean).join(' ');
}

/** Why an item of an action of this kind failed. Its first field that was rejected says more than the whole. */
export function resultSentence(kind: ActionKind, result: ActionResult | undefined): string {
  if (!result) return '';
  const { code, detail, errors } = result;
  if (kind === 'undo' && errors && undoneByField.includes(code)) return putBackSentence(errors);
  const short = textFor(problemsOf[kind]?.() ?? {}, errors?.[0]?.code ?? code);
  return short ?? problemSentence({ code, errors, ...(detail !== undefined && { detail }) });
}

/** The name of an item for a list: of a record, or the line of a file or text. */
export const nameOfItem = (item: ActionItem) => ('name' in item ? item.name : item.to);
