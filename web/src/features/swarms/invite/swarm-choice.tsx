import type { SwarmItem, SwarmList } from '@swarmdeck/bff/contract';
import { SwarmCombobox } from '../../../shared/swarm-combobox.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import type { FailedQuery } from '../../../ui/pages/load-failed.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';

interface SwarmChoiceProps {
  /** The first ones that match `q`. Undefined until they are known. */
  swarms: SwarmList | undefined;
  q: string;
  isSettled: boolean;
  failed: FailedQuery | undefined;
  onSearch(q: string): void;
  chosen: SwarmItem | undefined;
  onChoose(id: string): void;
  /** With the name that was searched. */
  onCreate(name: string): void;
}

const create = 'create';

/** Selects one of the swarms that the user owns or manages, or creates one. */
export function SwarmChoice({ swarms, chosen, onChoose, onCreate, ...search }: SwarmChoiceProps) {
  return (
    <SwarmCombobox
      {...search}
      label={t.invite.swarm}
      hint={chosen && <ChosenSwarm swarm={chosen} />}
      chosen={chosen}
      swarms={swarms?.items.map(({ id, name, member_count }) => ({ id, name, end: formatNumber(member_count) }))}
      total={swarms?.total}
      more={[{ id: create, text: t.invite.new_swarm, icon: 'plus', isAction: true }]}
      onChoose={(id, typed) => (id === create ? onCreate(typed.trim()) : onChoose(id))}
    />
  );
}

/** Whose swarm it is, and how many members it has. */
function ChosenSwarm({ swarm: { relation, user_id, member_count } }: { swarm: SwarmItem }) {
  const owner = relation === 'owner' ? t.swarms.you_as_owner : <Bdi>{user_id}</Bdi>;
  return (
    <>
      <Rich text={t.swarms.by} owner={owner} /> · {t.swarms.member_count(member_count)}
    </>
  );
}
