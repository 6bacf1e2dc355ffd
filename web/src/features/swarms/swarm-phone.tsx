import type { SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { IconLink } from '../../ui/buttons/button.tsx';
import { MoreMenu, type MenuItem } from '../../ui/dialogs/menu.tsx';
import { ShareSwarm, SwarmHead, type SwarmHeadActions, type SwarmLayout } from './swarm-head.tsx';
import { managesSwarm } from './swarm-rights.ts';
import { SwarmTabs, useSwarmTab } from './swarm-tabs.tsx';
import { useShownSwarm } from './use-shown-swarm.ts';

/** The header of a swarm on a phone: icons and a menu. The wall is a button on the map of the members. */
function PhoneHead({ onAsk, onStopWatching }: SwarmHeadActions) {
  const { swarm } = useShownSwarm();
  const items: MenuItem[] = [];
  if (onStopWatching)
    items.push({ id: 'leave', label: t.managers.of.watcher.leave, icon: 'close', onSelect: onStopWatching });
  if (onAsk) items.push({ id: 'ask', label: t.requests.ask, icon: 'send', onSelect: onAsk });
  return (
    <SwarmHead swarm={swarm}>
      {items.length > 0 && <MoreMenu look="quiet" label={t.members.actions} items={items} />}
      {managesSwarm(swarm) && <IconLink icon="send" to={`/invite?swarm=${swarm.id}`} label={t.swarms.invite} />}
      <ShareSwarm swarm={swarm} />
    </SwarmHead>
  );
}

function PhoneGuestHead({ swarm }: { swarm: SwarmItem }) {
  return (
    <SwarmHead swarm={swarm}>
      <ShareSwarm swarm={swarm} />
    </SwarmHead>
  );
}

/** Those above the members are in the sheet. */
function PhoneTabs() {
  return useSwarmTab().tab !== 'members' && <SwarmTabs />;
}

export const phoneLayout: SwarmLayout = { Head: PhoneHead, GuestHead: PhoneGuestHead, Tabs: PhoneTabs };
