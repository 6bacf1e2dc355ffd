import type { SwarmItem } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Box } from '../../../ui/box.tsx';
import { SwarmTableRow } from './swarm-table-row.tsx';
import '../../../ui/table.css';
import './swarm-table.css';

/** Owned or joined swarms. Both tables have the same columns at the same places. */
export function SwarmTable({
  kind,
  swarms,
  count,
}: {
  kind: 'owned' | 'joined';
  swarms: readonly SwarmItem[];
  count: string;
}) {
  return (
    <div className="swarms-box">
      <Box title={t.swarms.list[kind]} count={count}>
        {swarms.length === 0 ? (
          <p className="swarm-table-none">{kind === 'owned' ? t.swarms.list.owned_none : t.swarms.list.joined_none}</p>
        ) : (
          <table className="table swarm-table">
            <thead>
              <tr>
                <th scope="col">{t.swarms.list.swarm}</th>
                <th scope="col" className="swarm-table-number">
                  {t.swarms.list.members}
                </th>
                <th scope="col" className="swarm-table-shares">
                  {t.swarms.list.shares}
                </th>
                <th scope="col">{kind === 'owned' ? t.swarms.list.invitations : t.swarms.list.own}</th>
                <th scope="col" className="swarm-table-number">
                  {t.swarms.list.changed}
                </th>
                <th scope="col">
                  <span className="visually-hidden">{t.swarms.list.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {swarms.map((swarm) => (
                <SwarmTableRow key={swarm.id} swarm={swarm} mine={kind === 'owned'} />
              ))}
            </tbody>
          </table>
        )}
      </Box>
    </div>
  );
}
