import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { t } from '../../../text/text.ts';
import { IconLink } from '../../../ui/buttons/button.tsx';
import { CollectTyped } from '../../../ui/keys/keys-provider.tsx';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { phone, useMedia } from '../../../ui/browser/media.ts';
import { useSheetCovers } from '../../../ui/sheet/use-sheet-covers.ts';
import { useFocusRestore } from '../../../ui/browser/use-focus-restore.ts';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { MembersPanel } from './members-desk.tsx';
import { MembersSheet } from './members-phone.tsx';
import { MembersState, useMembers } from './members-state.ts';
import { MembersTabCommands } from './members-tab-commands.ts';
import './members-tab.css';

const AddMembers = lazyPart(async () => (await import('./add-members.tsx')).AddMembers);
const SelectedMembersDialog = lazyPart(
  async () => (await import('./selected-members-dialog.tsx')).SelectedMembersDialog,
  { Fallback: CollectTyped },
);
const PrintedMembers = lazyPart(async () => (await import('./printed-members.tsx')).PrintedMembers, {
  isBackground: true,
});

/** The members of the swarm and their map (use-members-map-props.ts has what it shows). */
export function MembersTab({ map }: { map: ReactNode }) {
  return (
    <MembersState>
      <Members map={map} />
    </MembersState>
  );
}

/** The list is beside the map on a desk and in a sheet on a phone; the map stays the same while a phone is turned. */
function Members({ map }: { map: ReactNode }) {
  const isPhone = useMedia(phone);
  const { swarm } = useShownSwarm();
  return (
    <div className="members">
      <MembersMap>
        {map}
        {isPhone && (
          <div className="members-wall">
            <IconLink icon="system" to={`/swarms/${swarm.id}/map`} label={t.swarms.wall} />
          </div>
        )}
      </MembersMap>
      {isPhone ? <MembersSheet /> : <MembersPanel />}
      <Dialogs />
      <PrintedMembers />
      <MembersTabCommands />
    </div>
  );
}

/** Beside the list and not in it, so that it stays open while a phone is turned. */
function Dialogs() {
  const { swarm } = useShownSwarm();
  const { handle } = useMembers('list');
  const { shown, close } = useMembers('dialog');
  // A command may remove the bar of the selection, whose button had the focus before the dialog.
  const focusRestore = useFocusRestore(() => handle.current?.focus());
  return (
    <div className="members-dialogs" {...focusRestore}>
      {shown?.kind === 'add' && <AddMembers swarm={swarm} onClose={close} />}
      {shown?.kind === 'selected' && <SelectedMembersDialog command={shown.command} onClose={close} />}
    </div>
  );
}

function MembersMap({ children }: { children: ReactNode }) {
  const isCovered = useSheetCovers(useMembers('sheet').stop);
  return (
    <div key={useEmptied()} className="members-map" inert={isCovered}>
      {children}
    </div>
  );
}

/** The number of times that the last member has left. Each time the map starts with a new view. */
function useEmptied(): number {
  const all = useMembers('list').facets?.all;
  const client = useQueryClient();
  const before = useRef(all);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const isEmptied = all === 0 && before.current !== undefined && before.current > 0;
    if (all !== undefined) before.current = all;
    if (!isEmptied) return;
    client.removeQueries({ queryKey: queryKeys.map.all });
    setTimes((count) => count + 1);
  }, [client, all]);
  return times;
}
