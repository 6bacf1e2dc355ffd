/**
 * Who gets what, when: news come from the stores after their commit, in the order of the commits, and go out as
 * events to those readers whose users may see the record. Nothing here asks the database: who may see it was asked
 * in the write itself (`news.store.ts`), so what a user may no longer see is simply not told to them.
 *
 * - News go out in beats: at once after a pause, together what comes meanwhile. Positions of one resource go out
 *   five times a second at most, and never after something newer about it.
 * - An event gets its number when it goes out. So whoever has seen number n has seen all before it, and what they
 *   missed is what the log holds after n; where that is not known any more they are told `reset`.
 * - An event costs as much as there are users who may see it, however many readers there are besides.
 */
import type { EventType } from '../contract.ts';
import { createEventLog } from './events.log.ts';
import type { Told } from './events.log.ts';
import type { News, Publish } from './news.store.ts';
import { createPace } from './pace.ts';

const positionsEveryMs = 200;
/** Fewer beats are fewer writes, and a thousand streams need a thousand for each. */
const beatMs = 80;
const logAtMost = { most: 10_000, mostCharacters: 16 * 1024 * 1024 };
/** More than that is not sent after a pause: reading the lists again is less. */
const missedBytesAtMost = 128 * 1024;

interface Batch {
  events: readonly Told[];
  bytes: Uint8Array;
  /** The user may see what this is about as a member of that swarm. */
  seenIn(swarmId: string, user: string): boolean;
}

export interface Hub {
  publish: Publish;
  /** Tells what was missed after the event `after`, and from then on everything. Ends by the function it returns. */
  subscribe(options: { user: string; after: string | undefined; told: (batch: Batch) => void }): () => void;
  /** The line that says how far a reader has got who has read all. */
  mark(): string;
  /** Id of the newest event. */
  newest(): string;
  stop(): void;
}

interface Reader {
  told: (batch: Batch) => void;
  /** The newest number it has got: users may see one thing in several swarms. */
  number: number;
}
type Dated = News & { at: string };

/** `process`: what no other run of the server has, of `0-9a-z`. */
export function createHub({
  process,
  now,
  report,
}: {
  process: string;
  now: () => Date;
  report: (error: unknown) => void;
}): Hub {
  const readers = new Map<string, Set<Reader>>();
  const log = createEventLog(logAtMost);
  const pace = createPace<string, Dated>({ everyMs: positionsEveryMs, beatMs, pass: tell });
  let number = 0;

  const idOf = (ofNumber: number) => `${process}-${ofNumber}`;

  function publish(news: readonly News[]) {
    const at = now().toISOString();
    for (const each of news) {
      const { about, coalesce } = each;
      if (about !== undefined && coalesce) {
        pace.put(about, { ...each, at });
        continue;
      }
      if (about !== undefined) pace.drop(about);
      if (takesOutOfSight.has(each.type)) {
        const swarms = Object.keys(viewersIn(each));
        pace.hasten((move) => swarms.some((id) => move.seenIn?.includes(id)));
      }
      pace.add({ ...each, at });
    }
  }

  function tell(due: readonly Dated[]) {
    for (const news of runsOfOneAudience(due)) {
      const events = news.map(numbered);
      const audience = audienceOf(news[0]!);
      for (const event of events) log.add(event, audience.text);
      const batch = batchOf(events, audience.seenIn);
      for (const user of audience.users()) {
        for (const reader of readers.get(user) ?? []) {
          if (reader.number === number) continue;
          reader.number = number;
          try {
            reader.told(batch);
          } catch (error) {
            report(error);
          }
        }
      }
    }
  }

  function numbered({ type, at, data, about, owner, coalesce = false }: Dated): Told {
    number += 1;
    return event({ number, type, at, data, moved: coalesce, ...(about && { about }), ...(owner && { owner }) });
  }

  function event({ at, data, ...told }: Omit<Told, 'id' | 'bytes'> & { at: string; data: string }): Told {
    const id = idOf(told.number);
    const envelope = `{"id":"${id}","type":"${told.type}","at":"${at}","data":${data}}`;
    return { ...told, id, bytes: Buffer.from(`id: ${id}\ndata: ${envelope}\n\n`) };
  }

  function missedBy(user: string, after: string): Told[] {
    const [, ofProcess, seen] = /^([0-9a-z]+)-(\d{1,15})$/.exec(after) ?? [];
    const missed = ofProcess === process ? log.since({ number: Number(seen), user }) : undefined;
    const tooMuch = (missed ?? []).reduce((sum, { bytes }) => sum + bytes.length, 0) > missedBytesAtMost;
    if (missed && !tooMuch) return missed;
    return [event({ number, type: 'reset', at: now().toISOString(), data: '{}', moved: false })];
  }

  return {
    publish,
    subscribe({ user, after, told }) {
      const reader: Reader = { told, number };
      const ofUser = readers.get(user) ?? new Set();
      readers.set(user, ofUser.add(reader));
      const missed = after === undefined ? [] : missedBy(user, after);
      if (missed.length > 0) told(batchOf(missed, () => false));
      return () => {
        ofUser.delete(reader);
        if (ofUser.size === 0 && readers.get(user) === ofUser) readers.delete(user);
      };
    },
    mark: () => `id: ${idOf(number)}\n`,
    newest: () => idOf(number),
    stop: () => pace.stop(),
  };
}

function batchOf(events: Told[], seenIn: Batch['seenIn']): Batch {
  const bytes = events.length === 1 ? events[0]!.bytes : Buffer.concat(events.map((event) => event.bytes));
  return { events, bytes, seenIn };
}

/** Neighbours that go to the same users become one write. */
function runsOfOneAudience(due: readonly Dated[]): Dated[][] {
  const runs: Dated[][] = [];
  for (const news of due) {
    const last = runs.at(-1);
    if (last && hasSameAudience(last[0]!, news)) last.push(news);
    else runs.push([news]);
  }
  return runs;
}

function hasSameAudience(one: News, other: News): boolean {
  return (
    one.seenIn === other.seenIn && one.to.length === other.to.length && one.to.every((to, at) => to === other.to[at])
  );
}

/** After one of these nobody is told a move any more that they saw before it. */
const takesOutOfSight: ReadonlySet<EventType> = new Set([
  'membership.changed',
  'swarm.destroyed',
  'resource.destroyed',
]);

const viewersIn = ({ seenIn = '{}' }: News) => JSON.parse(seenIn) as Record<string, string[]>;
const textOf = ({ to, seenIn = '{}' }: News) => JSON.stringify(to) + seenIn;

function audienceOf(news: News) {
  const bySwarm = viewersIn(news);
  const sets = new Map<string, Set<string>>();
  return {
    text: textOf(news),
    *users() {
      yield* news.to;
      for (const users of Object.values(bySwarm)) yield* users;
    },
    seenIn(swarmId: string, user: string) {
      const users = bySwarm[swarmId];
      if (!users) return false;
      if (!sets.has(swarmId)) sets.set(swarmId, new Set(users));
      return sets.get(swarmId)!.has(user);
    },
  };
}
