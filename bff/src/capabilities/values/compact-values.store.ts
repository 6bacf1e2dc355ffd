/** Older values are summarised: points into steps of five minutes, these into hourly ones, which end after a year. */
import { dayMs, hourMs } from '../../core/limits/durations.ts';
import { valueJob, valueLimits } from './limits.ts';
import { createLongReads } from '../../core/limits/long-reads.ts';
import { raw, sql, type Sql, type Statement } from '../../core/store/statement.ts';
import { compactedValues, type CompactedBlock } from './compacted-values.shape.ts';
import { closedValues, type ValueBlock } from './recorded-values.shape.ts';
import { lengthOfBlock } from './value-blocks.ts';
import { emptyOpen, forUser, insertBlock, lockDevices, type RecordingDeps } from './value-rows.store.ts';
import { longestStep, stepOfPoints } from './value-steps.ts';

/** Blocks with steps of `from` seconds (0: points) become blocks with steps of `to` seconds when they are older than `ageMs`. */
interface Level {
  from: number;
  to: number;
  ageMs: number;
  /** The age of what is summarised: what is added late waits until it is as old. */
  nextAgeMs: number;
  /** A device's turn comes so much later, so that many of its points are one write. */
  lateMs: number;
}
const { pointHours, stepDays, hourDays } = valueLimits;
const points: Level = {
  from: 0,
  to: stepOfPoints,
  ageMs: pointHours * hourMs,
  nextAgeMs: stepDays * dayMs,
  lateMs: valueJob.lateHours * hourMs,
};
const steps: Level = {
  from: stepOfPoints,
  to: longestStep,
  ageMs: stepDays * dayMs,
  nextAgeMs: hourDays * dayMs,
  lateMs: valueJob.lateDays * dayMs,
};

/** Blocks that one statement deletes. */
const deletedAtOnce = 200;
const due = raw('coalesce(due, ends)');
const readsOf = ({ db, queue }: RecordingDeps) => createLongReads({ db, queue })({ user: '' });

/**
 * One bounded round: devices with more points than they may have (which leave `crowded`), and, if it is due, old blocks and what users have beyond
 * their bytes. What is left waits for the next one.
 */
export async function compactOldest(
  deps: RecordingDeps,
  round: { now: number; bytesOfUser: number; crowded: Set<number>; isDue: boolean },
): Promise<void> {
  const { now, bytesOfUser, crowded, isDue } = round;
  await compactCrowded(deps, crowded, now);
  if (!isDue) return;
  await closeOld(deps, now - points.ageMs - points.lateMs);
  await compactLevel(deps, points, now);
  await compactLevel(deps, steps, now);
  await deleteOldest(deps, now - hourDays * dayMs);
  await trimUsers(deps, bytesOfUser);
}

/** Packs the newest points of devices that send so seldom that these are old. */
async function closeOld(deps: RecordingDeps, before: number): Promise<void> {
  let after = { opened_at: -1, ref: 0 };
  for (let chunk = 0; await isNext(deps, chunk); chunk++) {
    const devices = await readsOf(deps).read<typeof after>(
      sql`SELECT opened_at, ref FROM device_values WHERE opened_at < ${before} AND (opened_at, ref) > (${after.opened_at}, ${after.ref})
        ORDER BY opened_at, ref LIMIT ${valueJob.devices}`,
    );
    const last = devices.at(-1);
    if (!last) return;
    after = last;
    if (!(await forUser(deps, () => close(deps, devices))))
      for (const device of devices) await forUser(deps, () => close(deps, [device]));
  }
}

async function close(deps: RecordingDeps, devices: readonly { ref: number }[]): Promise<boolean> {
  const { db, holdsLease } = deps;
  const blocks = await readsOf(deps).read<ValueBlock>({
    ...sql`SELECT d.ref, d.seq, d.open, r.values_since FROM device_values d JOIN resources r ON r.ref = d.ref
      WHERE d.ref IN (SELECT CAST(value AS bigint) FROM elements(${JSON.stringify(devices.map(({ ref }) => ref))}))`,
    shape: closedValues({}),
  });
  await db.write([holdsLease, lockDevices(blocks), ...emptyOpen(blocks), ...blocks.map(insertBlock)]);
  return true;
}

/** A user's devices come in the order of their oldest blocks, when these are `lateMs` older than they may be. */
async function compactLevel(deps: RecordingDeps, level: Level, now: number): Promise<void> {
  const { from, ageMs, lateMs } = level;
  const before = now - ageMs;
  await goThroughUsers(deps, { step: from, before: before - lateMs }, async (user, most) => {
    const devices = await readsOf(deps).read<{ ref: number }>(
      sql`SELECT ref FROM (SELECT ref, ${due} AS due_at FROM value_blocks WHERE step = ${from} AND user_id = ${user} AND ${due} < ${before - lateMs}
        ORDER BY ${due} LIMIT ${20 * most}) oldest GROUP BY ref ORDER BY min(due_at), ref LIMIT ${most}`,
    );
    const done = await Promise.all(
      devices.map(({ ref }) => forUser(deps, () => compactDevice(deps, { ref, level, before, now }))),
    );
    return done.includes(true);
  });
}

/** Hourly steps end after a year. */
const deleteOldest = (deps: RecordingDeps, before: number): Promise<void> =>
  goThroughUsers(deps, { step: longestStep, before }, (user) =>
    deleteBlocks(
      deps,
      sql`SELECT ref, step, audience, part FROM value_blocks WHERE step = ${longestStep} AND user_id = ${user} AND ${due} < ${before} LIMIT ${deletedAtOnce}`,
    ),
  );

/**
 * Calls `work` for users who have blocks with this step from before this time, in turn: the next round goes on where this one has ended. It has so many
 * devices. Ends when all are done.
 */
async function goThroughUsers(
  deps: RecordingDeps,
  { step, before }: { step: number; before: number },
  work: (user: string, mostDevices: number) => Promise<boolean>,
): Promise<void> {
  const { lastUsers } = deps;
  let [isWhole, isIdle] = [false, true];
  for (let chunk = 0; await isNext(deps, chunk); chunk++) {
    const after = lastUsers.get(step) ?? '';
    if (after === '') [isWhole, isIdle] = [true, true];
    const users = await readsOf(deps).read<{ user_id: string; has: number }>(
      sql`SELECT user_id, CASE WHEN EXISTS (SELECT 1 FROM value_blocks b WHERE b.step = ${step} AND b.user_id = u.user_id
          AND coalesce(b.due, b.ends) < ${before}) THEN 1 ELSE 0 END AS has
        FROM (SELECT user_id FROM usage WHERE kind = 'value_bytes' AND user_id > ${after} ORDER BY user_id LIMIT ${valueJob.users}) u ORDER BY user_id`,
    );
    const having = users.filter(({ has }) => has === 1).slice(0, valueJob.devices);
    const most = Math.floor(valueJob.devices / Math.max(1, having.length));
    const done = await Promise.all(having.map(({ user_id }) => forUser(deps, () => work(user_id, most))));
    if (done.includes(true)) isIdle = false;
    const last = having.length === valueJob.devices ? having.at(-1) : users.at(-1);
    const isEnd = users.length < valueJob.users && last === users.at(-1);
    lastUsers.set(step, isEnd ? '' : last!.user_id);
    if (isEnd && isWhole && isIdle) return;
  }
}

/** Devices that sent so fast that they have more points than they may have, one turn for each. */
async function compactCrowded(deps: RecordingDeps, crowded: Set<number>, now: number): Promise<void> {
  const { points: most } = valueLimits;
  for (let chunk = 0; crowded.size > 0 && (await isNext(deps, chunk)); chunk++) {
    const refs = [...crowded].slice(0, valueJob.devices);
    for (const ref of refs) crowded.delete(ref);
    // A quarter more, so that this is not done for each block.
    const beyond = await readsOf(deps).read<{ ref: number; ends: number }>(
      sql`SELECT ref, max(due_at) AS ends FROM (SELECT ref, ${due} AS due_at, sum(points) OVER (PARTITION BY ref ORDER BY ${due} DESC ROWS UNBOUNDED PRECEDING) - points AS later,
            sum(points) OVER (PARTITION BY ref) AS total FROM value_blocks
          WHERE step = 0 AND ref IN (SELECT CAST(value AS bigint) FROM elements(${JSON.stringify(refs)}))) blocks
        WHERE total > ${most + most / 4} AND later >= ${most} GROUP BY ref ORDER BY ref`,
    );
    await Promise.all(
      beyond.map(({ ref, ends }) =>
        forUser(deps, async () => {
          for (let turn = 0; await isNext(deps, turn); turn++)
            if (!(await compactDevice(deps, { ref, level: points, before: ends + 1, now }))) return;
          crowded.add(ref);
        }),
      ),
    );
  }
}

/** Whether the round goes on with this chunk: not if messages are to be recorded. A long round renews the lease, or another process would begin the same one. */
async function isNext({ isStopping, isAwaited, takeLease }: RecordingDeps, chunk: number): Promise<boolean> {
  if (isStopping() || chunk >= valueJob.chunks) return false;
  return chunk === 0 || (!isAwaited() && (await takeLease()));
}

/** Deletes the oldest steps of a device that has more than it may have: a read of all of them takes time and memory of the reader. */
async function trimDevice(deps: RecordingDeps, ref: number): Promise<void> {
  const { db, holdsLease } = deps;
  const { steps: most, stepsOfBlock } = valueLimits;
  const counted = raw(`greatest(points, ${stepsOfBlock})`);
  const beyond = await readsOf(deps).read(
    sql`SELECT 1 FROM value_blocks WHERE step > 0 AND ref = ${ref} GROUP BY ref HAVING sum(${counted}) > ${most}`,
  );
  if (beyond.length === 0) return;
  await db.write([
    holdsLease,
    {
      ...sql`DELETE FROM value_blocks WHERE ref = ${ref} AND (step, audience, part) IN (SELECT step, audience, part FROM (
          SELECT step, audience, part,
            sum(${counted}) OVER (ORDER BY ends DESC, step, audience, part ROWS UNBOUNDED PRECEDING) AS newer
          FROM value_blocks WHERE step > 0 AND ref = ${ref}) summed
        WHERE newer > ${most})`,
      rows: deletedAtOnce,
    },
  ]);
}

/** A block that is summarised. */
interface DueBlock {
  audience: number;
  part: number;
  /** The first and the last block to which it is added. It is one, but for blocks of older versions. */
  first: number;
  last: number;
  /** What it costs to unpack, in steps, and what those cost that are there. */
  steps: number;
  target: number;
}

/** As many blocks as one read may unpack, with those to which they are added. Returns false if nothing was written. */
async function compactDevice(
  deps: RecordingDeps,
  { ref, level, before, now }: { ref: number; level: Level; before: number; now: number },
): Promise<boolean> {
  const { db, holdsLease } = deps;
  const { from, to, nextAgeMs } = level;
  const length = raw(String(lengthOfBlock(to)));
  const cost = raw(from === 0 ? 'coalesce(samples, 10 * points)' : 'points');
  const blocks = await readsOf(deps).read<DueBlock>(
    sql`SELECT b.audience, b.part, b.starts / ${length} AS first, b.ends / ${length} AS last, 100 + ${cost} AS steps,
        coalesce((SELECT sum(100 + t.points) FROM value_blocks t WHERE t.ref = b.ref AND t.step = ${to} AND t.audience = b.audience
          AND t.part >= b.starts / ${length} AND t.part <= b.ends / ${length}), 0) AS target
      FROM value_blocks b WHERE b.ref = ${ref} AND b.step = ${from} AND ${due} < ${before}
      ORDER BY b.audience, b.starts, b.part LIMIT ${valueJob.stepsAtOnce / 100}`,
  );
  const { parts, targets, audience } = oneRead(blocks);
  if (parts.length === 0) return false;
  const old = sql`ref = ${ref} AND step = ${from} AND audience = ${audience} AND part IN (SELECT CAST(value AS bigint) FROM elements(${JSON.stringify(parts)}))`;
  const compacted = await readsOf(deps).read<CompactedBlock>({
    ...sql`SELECT step, audience, part, content FROM value_blocks WHERE ${old}
      UNION ALL SELECT step, audience, part, content FROM value_blocks
        WHERE ref = ${ref} AND step = ${to} AND audience = ${audience} AND part IN (SELECT CAST(value AS bigint) FROM elements(${JSON.stringify(targets)}))`,
    shape: compactedValues({ step: to }),
  });
  const { ok } = await db.write([
    holdsLease,
    lockDevices([{ ref }]),
    { ...sql`DELETE FROM value_blocks WHERE ${old}`, orFail: 'gone' },
    ...compacted.map((block) => blockCompacted(block, { ref, step: to, least: now - nextAgeMs })),
  ]);
  if (ok) await trimDevice(deps, ref);
  return ok;
}

/** The first of these blocks that are read together: of one audience, and one at least. */
function oneRead(blocks: readonly DueBlock[]): { parts: number[]; targets: number[]; audience: number } {
  const { audience = 0 } = blocks[0] ?? {};
  const parts: number[] = [];
  const targets = new Set<number>();
  let sum = 0;
  for (const { part, first, last, steps: ofBlock, target, audience: of } of blocks) {
    sum += ofBlock + (first === last && targets.has(first) ? 0 : target);
    if (of !== audience || (parts.length > 0 && sum > valueJob.stepsAtOnce)) break;
    parts.push(part);
    for (let key = first; key <= last; key++) targets.add(key);
  }
  return { parts, targets: [...targets], audience };
}

/** `least`: in ms. What is older than others by then waits as long as they do. A block that is there keeps its place. */
const blockCompacted = (
  { audience, part, starts, ends, points: count, bytes }: CompactedBlock,
  { ref, step, least }: { ref: number; step: number; least: number },
): Statement =>
  sql`INSERT INTO value_blocks (ref, step, audience, part, user_id, starts, ends, points, content, due)
    SELECT ref, CAST(${step} AS integer), CAST(${audience} AS integer), CAST(${part} AS bigint), user_id, CAST(${starts} AS bigint),
      CAST(${ends} AS bigint), CAST(${count} AS integer), ${bytes}, CAST(${ends < least ? least : null} AS bigint) FROM resources WHERE ref = ${ref}
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
    const oldest = sql`SELECT ref, step, audience, part FROM (SELECT ref, step, audience, part,
          sum(bytes) OVER (ORDER BY ends, ref, step, audience, part ROWS UNBOUNDED PRECEDING) - bytes AS older
        FROM (SELECT ref, step, audience, part, ends, ${bytesOfBlock} AS bytes FROM value_blocks WHERE user_id = ${user_id}
          ORDER BY ends LIMIT ${deletedAtOnce}) oldest) summed WHERE older < ${excess}`;
    await forUser(deps, async () => {
      for (let chunk = 0; (await isNext(deps, chunk)) && (await deleteBlocks(deps, oldest)); chunk++);
    });
  }
}

/** Deletes these blocks in one small commit. Returns false if there were none. */
async function deleteBlocks({ db, holdsLease }: RecordingDeps, blocks: Sql): Promise<boolean> {
  const { ok } = await db.write([
    holdsLease,
    {
      ...sql`DELETE FROM value_blocks WHERE (ref, step, audience, part) IN (${blocks})`,
      orFail: 'none left',
      rows: deletedAtOnce,
    },
  ]);
  return ok;
}
