/** Older values are summarised: points into steps of five minutes, these into hourly ones, which end after a year. */
import { dayMs, hourMs } from '../../limits/durations.ts';
import { valueJob, valueLimits } from '../../limits/part-limits.ts';
import { createLongReads } from '../../limits/long-reads.ts';
import { raw, sql, type Sql, type Statement } from '../../store/statement.ts';
import { compactedValues, type CompactedBlock } from './compacted-values.shape.ts';
import { closedValues, type ValueBlock } from './recorded-values.shape.ts';
import { emptyOpen, insertBlock, lockDevices, type RecordingDeps } from './value-rows.store.ts';

/** What is summarised: blocks of `from` that end before `ends`, into steps of `to` seconds. */
interface Level {
  from: number;
  to: number;
}
const points: Level = { from: 0, to: 300 };
const steps: Level = { from: 300, to: 3600 };

/** Blocks that one statement deletes. */
const deletedAtOnce = 200;

/**
 * One bounded round: devices with more points than they may have (of those in `crowded`), and, if it is due, old blocks and what users have beyond
 * their bytes. What is left waits for the next one.
 */
export async function compactOldest(
  deps: RecordingDeps,
  round: { now: number; bytesOfUser: number; crowded: readonly number[]; isDue: boolean },
): Promise<void> {
  const { now, bytesOfUser, crowded, isDue } = round;
  await compactCrowded(deps, crowded);
  if (!isDue) return;
  const { pointHours, stepDays, hourDays } = valueLimits;
  const { lateHours, lateDays } = valueJob;
  await closeOld(deps, now - (pointHours + lateHours) * hourMs);
  await compactLevel(deps, points, { ends: now - pointHours * hourMs, lateMs: lateHours * hourMs });
  await compactLevel(deps, steps, { ends: now - stepDays * dayMs, lateMs: lateDays * dayMs });
  await deleteWhile(
    deps,
    sql`SELECT ref, step, audience, part FROM value_blocks WHERE step = 3600 AND ends < ${now - hourDays * dayMs} LIMIT ${deletedAtOnce}`,
  );
  await trimUsers(deps, bytesOfUser);
}

/** Packs the newest points of devices that send so seldom that these are old. */
async function closeOld(deps: RecordingDeps, before: number): Promise<void> {
  const { db, holdsLease } = deps;
  for (let chunk = 0; await isNext(deps, chunk); chunk++) {
    const blocks = await readsOf(deps).read<ValueBlock>({
      ...sql`SELECT d.ref, d.seq, d.open, r.values_since FROM device_values d JOIN resources r ON r.ref = d.ref
        WHERE d.opened_at < ${before} ORDER BY d.opened_at LIMIT ${valueJob.devices}`,
      shape: closedValues({}),
    });
    if (blocks.length === 0) return;
    const { ok } = await db.write([holdsLease, lockDevices(blocks), ...emptyOpen(blocks), ...blocks.map(insertBlock)]);
    if (!ok) return;
  }
}

/** Devices come in the order of their oldest blocks, when these are `lateMs` older than they may be. */
async function compactLevel(deps: RecordingDeps, level: Level, age: { ends: number; lateMs: number }): Promise<void> {
  for (let chunk = 0; await isNext(deps, chunk); chunk++) {
    const due = await readsOf(deps).read<{ ref: number }>(
      sql`SELECT ref FROM (SELECT ref, ends FROM value_blocks WHERE step = ${level.from} AND ends < ${age.ends - age.lateMs}
        ORDER BY step, ends LIMIT ${20 * valueJob.devices}) oldest GROUP BY ref ORDER BY min(ends), ref LIMIT ${valueJob.devices}`,
    );
    const done = await Promise.all(due.map(({ ref }) => compactDevice(deps, { ref, level, ends: age.ends })));
    // The oldest blocks may be of a few devices that have many.
    if (!done.includes(true)) return;
    await trimDevices(
      deps,
      due.map(({ ref }) => ref),
    );
  }
}

/** Devices that sent so fast that they have more points than they may have. */
async function compactCrowded(deps: RecordingDeps, refs: readonly number[]): Promise<void> {
  const { points: most } = valueLimits;
  for (
    let from = 0;
    from < refs.length && (await isNext(deps, from / valueJob.devices, Infinity));
    from += valueJob.devices
  ) {
    const slice = JSON.stringify(refs.slice(from, from + valueJob.devices));
    // A quarter more, so that this is not done for each block.
    const beyond = await readsOf(deps).read<{ ref: number; ends: number }>(
      sql`SELECT ref, max(ends) AS ends FROM (SELECT ref, ends, sum(points) OVER (PARTITION BY ref ORDER BY ends DESC ROWS UNBOUNDED PRECEDING) - points AS later,
            sum(points) OVER (PARTITION BY ref) AS total FROM value_blocks
          WHERE step = 0 AND ref IN (SELECT CAST(value AS bigint) FROM elements(${slice}))) blocks
        WHERE total > ${most + most / 4} AND later >= ${most} GROUP BY ref ORDER BY ref`,
    );
    await Promise.all(beyond.map(({ ref, ends }) => compactDevice(deps, { ref, level: points, ends: ends + 1 })));
    await trimDevices(
      deps,
      beyond.map(({ ref }) => ref),
    );
  }
}

/** Whether the round goes on with this chunk. A long round renews the lease, or another process would begin the same one. */
async function isNext(
  { isStopping, takeLease }: RecordingDeps,
  chunk: number,
  most: number = valueJob.chunks,
): Promise<boolean> {
  if (isStopping() || chunk >= most) return false;
  return chunk === 0 || takeLease();
}

/** Deletes the oldest steps of devices that have more than they may have: a read of all of them takes time and memory of the reader. */
async function trimDevices(deps: RecordingDeps, refs: readonly number[]): Promise<void> {
  if (refs.length === 0) return;
  const { db, holdsLease } = deps;
  const { steps: most, stepsOfBlock } = valueLimits;
  const isStep = sql`step > 0 AND ref IN (SELECT CAST(value AS bigint) FROM elements(${JSON.stringify(refs)}))`;
  const counted = raw(`greatest(points, ${stepsOfBlock})`);
  const beyond = await readsOf(deps).read<{ ref: number }>(
    sql`SELECT ref FROM value_blocks WHERE ${isStep} GROUP BY ref HAVING sum(${counted}) > ${most} ORDER BY ref`,
  );
  if (beyond.length === 0) return;
  await db.write([
    holdsLease,
    {
      ...sql`DELETE FROM value_blocks WHERE (ref, step, audience, part) IN (SELECT ref, step, audience, part FROM (
          SELECT ref, step, audience, part,
            sum(${counted}) OVER (PARTITION BY ref ORDER BY ends DESC, step, audience, part ROWS UNBOUNDED PRECEDING) AS newer
          FROM value_blocks WHERE step > 0 AND ref IN (SELECT CAST(value AS bigint) FROM elements(${JSON.stringify(beyond.map(({ ref }) => ref))}))) summed
        WHERE newer > ${most})`,
      rows: deletedAtOnce,
    },
  ]);
}

const readsOf = ({ db, queue }: RecordingDeps) => createLongReads({ db, queue })({ user: '' });

/** Returns false if nothing was written. */
async function compactDevice(
  deps: RecordingDeps,
  { ref, level, ends }: { ref: number; level: Level; ends: number },
): Promise<boolean> {
  const { db, holdsLease } = deps;
  const { from, to } = level;
  const old = sql`ref = ${ref} AND step = ${from} AND ends < ${ends}`;
  const blocks = await readsOf(deps).read<CompactedBlock>({
    // The longer steps in the whole weeks that are added to.
    ...sql`SELECT step, audience, part, content FROM value_blocks WHERE ${old}
      UNION ALL SELECT step, audience, part, content FROM value_blocks
        WHERE ref = ${ref} AND step = ${to} AND ends >= (SELECT min(starts) FROM value_blocks WHERE ${old}) - ${7 * dayMs}`,
    shape: compactedValues({ step: to }),
  });
  if (blocks.length === 0) return false;
  const { ok } = await db.write([
    holdsLease,
    lockDevices([{ ref }]),
    { ...sql`DELETE FROM value_blocks WHERE ${old}`, orFail: 'gone' },
    ...blocks.map((block) => blockCompacted(block, { ref, step: to })),
  ]);
  return ok;
}

const blockCompacted = (
  { audience, part, starts, ends, points: count, bytes }: CompactedBlock,
  { ref, step }: { ref: number; step: number },
): Statement =>
  sql`INSERT INTO value_blocks (ref, step, audience, part, user_id, starts, ends, points, content)
    SELECT ref, CAST(${step} AS integer), CAST(${audience} AS integer), CAST(${part} AS bigint), user_id, CAST(${starts} AS bigint),
      CAST(${ends} AS bigint), CAST(${count} AS integer), ${bytes} FROM resources WHERE ref = ${ref}
    ON CONFLICT (ref, step, audience, part) DO UPDATE SET starts = excluded.starts, ends = excluded.ends, points = excluded.points,
      content = excluded.content`;

const bytesOfBlock = raw('(length(content) + 200)');

/** Deletes the oldest blocks of users who have more bytes than they may have. */
async function trimUsers(deps: RecordingDeps, bytesOfUser: number): Promise<void> {
  if (bytesOfUser === Infinity) return;
  const users = await readsOf(deps).read<{ user_id: string }>(
    sql`SELECT user_id FROM usage WHERE kind = 'value_bytes' AND amount > ${bytesOfUser} ORDER BY user_id`,
  );
  for (const { user_id } of users) {
    const excess = sql`(SELECT amount FROM usage WHERE user_id = ${user_id} AND kind = 'value_bytes') - ${bytesOfUser}`;
    await deleteWhile(
      deps,
      sql`SELECT ref, step, audience, part FROM (SELECT ref, step, audience, part,
          sum(bytes) OVER (ORDER BY ends, ref, step, audience, part ROWS UNBOUNDED PRECEDING) - bytes AS older
        FROM (SELECT ref, step, audience, part, ends, ${bytesOfBlock} AS bytes FROM value_blocks WHERE user_id = ${user_id}
          ORDER BY ends LIMIT ${deletedAtOnce}) oldest) summed WHERE older < ${excess}`,
    );
  }
}

/** Deletes these blocks in small commits, until none are left or the round has deleted enough. */
async function deleteWhile(deps: RecordingDeps, blocks: Sql): Promise<void> {
  const { db, holdsLease } = deps;
  for (let chunk = 0; await isNext(deps, chunk); chunk++) {
    const { ok } = await db.write([
      holdsLease,
      {
        ...sql`DELETE FROM value_blocks WHERE (ref, step, audience, part) IN (${blocks})`,
        orFail: 'none left',
        rows: deletedAtOnce,
      },
    ]);
    if (!ok) return;
  }
}
