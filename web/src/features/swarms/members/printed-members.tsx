import { useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { EndTime } from '../../../shared/ends/until-date.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import '../../../ui/browser/print-sheet.css';
import { Bdi } from '../../../ui/texts/rich.tsx';
import { useEventListener } from '../../../ui/browser/use-event-listener.ts';
import { useShownSwarm } from '../use-shown-swarm.ts';
import { MemberValue } from './member-row.tsx';
import './printed-members.css';
import { useShownValue } from './use-member-filters.ts';
import { useMembers } from './members-state.ts';

/** What the browser prints of the page: the loaded members instead of the rows in view, without the map and the frame of the app. */
export function PrintedMembers() {
  const [isPrinted, setPrinted] = useState(false);
  // Something else that is printed has a sheet already.
  useEventListener(window, 'beforeprint', () =>
    flushSync(() => setPrinted(document.querySelector('.print-sheet') === null)),
  );
  useEventListener(window, 'afterprint', () => setPrinted(false));
  return isPrinted && createPortal(<Sheet />, document.body);
}

function Sheet() {
  const { swarm } = useShownSwarm();
  const { rows, total = rows.length } = useMembers('list');
  const { valueKey } = useShownValue();
  return (
    <div className="print-sheet printed-members">
      <h1>
        <Bdi>{swarm.name}</Bdi>
      </h1>
      <p>
        {rows.length < total
          ? t.devices.of(formatNumber(rows.length), t.swarms.member_count(total))
          : t.swarms.member_count(total)}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.members.device}</th>
            <th scope="col">{t.members.owner}</th>
            <th scope="col">{t.members.role}</th>
            <th scope="col">{valueKey === undefined ? t.members.heard : <Bdi>{valueKey}</Bdi>}</th>
            <th scope="col">{t.ends.until}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((member) => (
            <tr key={member.id}>
              <td>
                <Bdi>{member.name}</Bdi>
              </td>
              <td>
                <Bdi>{member.user_id}</Bdi>
              </td>
              <td>{t.shell.roles[member.resource_type]}</td>
              <td>
                <MemberValue member={member} />
              </td>
              <td>{member.ends_at !== undefined && <EndTime at={member.ends_at} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
