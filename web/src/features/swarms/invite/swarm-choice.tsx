import type { SwarmItem } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../../text/text.ts';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Tag } from '../../../ui/chip.tsx';
import './swarm-choice.css';

const isOwn = ({ relation }: SwarmItem) => relation === 'owner';

interface SwarmChoiceProps {
  swarms: readonly SwarmItem[];
  chosen: SwarmItem | undefined;
  onChoose(id: string): void;
  onCreate(): void;
}

/** Selects one of the swarms that the user owns or manages, or creates one. */
export function SwarmChoice({ swarms, chosen, onChoose, onCreate }: SwarmChoiceProps) {
  return (
    <div className="field">
      <span className="field-label" aria-hidden="true">
        {t.invite.swarm}
      </span>
      <Menu
        label={t.invite.swarm}
        items={[
          ...swarms.map((swarm) => ({
            id: swarm.id,
            label: <Bdi>{swarm.name}</Bdi>,
            checked: swarm.id === chosen?.id,
            end: <span className="muted numbers">{formatNumber(swarm.member_count)}</span>,
            onSelect: () => onChoose(swarm.id),
          })),
          { id: 'create', label: t.invite.new_swarm, icon: 'plus' as const, onSelect: onCreate },
        ]}
        renderTrigger={(button) => (
          <button type="button" {...button} className="line swarm-choice-button">
            <span className="visually-hidden">{t.invite.swarm_is}</span>
            {chosen ? (
              <>
                <bdi className="strong swarm-choice-name one-line">{chosen.name}</bdi>{' '}
                <span className="owner-name">
                  <Rich
                    text={t.swarms.by}
                    owner={isOwn(chosen) ? t.swarms.you_as_owner : <Bdi>{chosen.user_id}</Bdi>}
                  />
                </span>
                <Tag>{t.swarms.member_count(chosen.member_count)}</Tag>
              </>
            ) : (
              <span className="muted">{t.invite.choose}</span>
            )}
            <Icon name="down" />
          </button>
        )}
      />
    </div>
  );
}
