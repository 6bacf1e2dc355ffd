import { t } from '../../text/text.ts';
import { Button, ButtonLink } from '../../ui/buttons/button.tsx';
import { CommandKey } from '../../ui/keys/keys-provider.tsx';
import { SwarmHead, type SwarmHeadActions, type SwarmLayout } from './swarm-head.tsx';
import { managesSwarm } from './swarm-rights.ts';
import { SwarmTabs } from './swarm-tabs.tsx';
import { useShownSwarm } from './use-shown-swarm.ts';

/** The header of a swarm on a desk: buttons with words. */
function DeskHead({ onAsk, onStopWatching }: SwarmHeadActions) {
  const { swarm } = useShownSwarm();
  return (
    <SwarmHead swarm={swarm}>
      <ButtonLink icon="system" to={`/swarms/${swarm.id}/map`}>
        {t.swarms.wall}
      </ButtonLink>
      {onStopWatching && <Button onClick={onStopWatching}>{t.managers.of.watcher.leave}</Button>}
      {onAsk && (
        <Button icon="send" onClick={onAsk}>
          {t.requests.ask}
        </Button>
      )}
      {managesSwarm(swarm) && (
        <ButtonLink look="primary" icon="send" to={`/invite?swarm=${swarm.id}`}>
          {t.swarms.invite}
          <CommandKey scope="own_swarm" id="invite" />
        </ButtonLink>
      )}
    </SwarmHead>
  );
}

export const deskLayout: SwarmLayout = { Head: DeskHead, GuestHead: SwarmHead, Tabs: SwarmTabs };
