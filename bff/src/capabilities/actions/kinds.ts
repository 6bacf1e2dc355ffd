/** The kinds of actions: one entry for each says how an item is executed, and how that is undone. */
import type { ActionItem, ActionKind } from '../../contract.ts';
import { Problem } from '../../core/problem.ts';
import { deviceKinds } from './kinds/devices.ts';
import { invitationKinds } from './kinds/invitations.ts';
import {
  named,
  never,
  nothing,
  type ItemRun,
  type Kind,
  type Kinds,
  type KindsOf,
  type Requests,
  type UseCases,
} from './kinds/kind.ts';
import { memberKinds } from './kinds/members.ts';

/** A capability adds others. */
export type CoreKind =
  | keyof (ReturnType<typeof invitationKinds> & ReturnType<typeof memberKinds> & ReturnType<typeof deviceKinds>)
  | 'delete_swarm'
  | 'undo';

/** `ofCapabilities`: the kinds that they add. */
export function createKinds({
  useCases,
  newId,
  ofCapabilities,
  requests,
}: {
  useCases: UseCases;
  newId: () => string;
  ofCapabilities: KindsOf<Exclude<ActionKind, CoreKind>>;
  requests: Requests | undefined;
}): Kinds {
  const kinds: KindsOf<ActionKind> = {
    ...ofCapabilities,
    ...invitationKinds(useCases, requests),
    ...memberKinds(useCases),
    ...deviceKinds({ useCases, newId }),
    delete_swarm: {
      about: nothing,
      item: named,
      run: ({ userId, item: { id } }) => useCases.destroySwarm({ userId, id }),
      doneIfRepeated: ['swarm.not_found'],
    },
    undo: {
      about: never,
      item: never,
      async run({ userId, about, before: undone, isRepeated }) {
        const { item, before, isUnknown = isRepeated } = undone as UndoneItem;
        await (kinds[about.kind] as Kind).inverse?.({ userId, about: about.of, item, before, mayBeGone: isUnknown });
      },
    },
  };
  return kinds;
}

/** What is stored before the run of an `undo`: an item of the action that it undoes. */
export interface UndoneItem {
  item: ActionItem;
  before: object;
  /** It is not known whether the item was executed, or undone before, because the results of its batch were lost. */
  isUnknown?: true;
}

/** Executes an item, or repeats it after a crash. @throws the problem of the item */
export async function runItem(kind: Kind, itemRun: ItemRun) {
  await kind.run(itemRun).catch((error: unknown) => {
    if (itemRun.isRepeated && error instanceof Problem && kind.doneIfRepeated?.includes(error.code)) return;
    throw error;
  });
}
