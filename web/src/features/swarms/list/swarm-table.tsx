import type { SwarmItem } from '@swarmdeck/bff/contract';
import { Box } from '../../../ui/box.tsx';
import { words } from '../swarm-words.ts';
import { SwarmTableRow } from './swarm-table-row.tsx';
import './swarm-table.css';

const text = words.list;

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
      <Box title={text[kind]} count={count}>
        {swarms.length === 0 ? (
          <p className="swarm-table-none">{kind === 'owned' ? text.owned_none : text.joined_none}</p>
        ) : (
          <table className="swarm-table">
            <thead>
              <tr>
                <th scope="col">{text.swarm}</th>
                <th scope="col" className="swarm-table-number">
                  {text.members}
                </th>
                <th scope="col" className="swarm-table-shares">
                  {text.shares}
                </th>
                <th scope="col">{kind === 'owned' ? text.invitations : text.own}</th>
                <th scope="col" className="swarm-table-number">
                  {text.changed}
                </th>
                <th scope="col">
                  <span className="visually-hidden">{text.acts}</span>
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
