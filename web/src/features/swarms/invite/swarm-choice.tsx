import type { SwarmItem } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../../../text/text.ts';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Tag } from '../../../ui/chip.tsx';
import './swarm-choice.css';

/** Selects one of the user's own swarms, or creates one. */
export function SwarmChoice({
  swarms,
  chosen,
  onChoose,
  onCreate,
}: {
  swarms: readonly SwarmItem[];
  chosen: SwarmItem | undefined;
  onChoose(id: string): void;
  onCreate(): void;
}) {
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
            end: <span className="swarm-choice-count numbers">{formatNumber(swarm.member_count)}</span>,
            onSelect: () => onChoose(swarm.id),
          })),
          { id: 'create', label: t.invite.new_swarm, icon: 'plus' as const, onSelect: onCreate },
        ]}
        renderTrigger={(button) => (
          <button type="button" {...button} className="swarm-choice-button">
            <span className="visually-hidden">{t.invite.swarm_is}</span>
            {chosen ? (
              <>
                <bdi className="swarm-choice-name one-line">{chosen.name}</bdi>{' '}
                <span className="owner-name">
                  <Rich text={t.swarms.by} owner={t.swarms.you_as_owner} />
                </span>
                <Tag>{t.swarms.member_count(chosen.member_count)}</Tag>
              </>
            ) : (
              <span className="swarm-choice-none">{t.invite.choose}</span>
            )}
            <Icon name="down" />
          </button>
        )}
      />
    </div>
  );
}
