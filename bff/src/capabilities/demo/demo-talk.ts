/**
 * The demo of a user talks while the user looks at a page: thirty of its devices send measurements, and three of them
 * drive. They do it with the functions that the endpoints use, as their owners, and are heard as with a key of their own.
 */
import type { Service } from '../../service/service.ts';
import { shareNextRun } from '../../core/limits/share-next-run.ts';
import { validBody } from '../../core/sent-body.ts';
import type { Database } from '../../core/store/database.ts';
import { measuredAt } from './demo-weather.ts';
import { readDemoProducers, type DemoDevice } from './demo.store.ts';

const everyMs = 2000;
/** Devices that send in a turn. */
const sendAtOnce = 3;
const senders = 30;
const drivers = 3;
/** Demos that talk at the same time: others are silent. */
const talkingAtMost = 50;

interface Talking {
  pages: number;
  turn: number;
  /** Undefined until they are read, and again after the demo was added or removed. */
  devices: DemoDevice[] | undefined;
  timer: NodeJS.Timeout;
}

export type DemoTalk = ReturnType<typeof createDemoTalk>;

export function createDemoTalk(options: {
  db: Pick<Database, 'read'>;
  send: Service['messages']['send'];
  updateResource: Service['useCases']['updateResource'];
  heard: (device: string) => void;
  now: () => Date;
  report: (error: unknown) => void;
}) {
  const { db, send, updateResource, heard, now, report } = options;
  const talking = new Map<string, Talking>();

  async function talk(user: string) {
    const state = talking.get(user);
    if (!state) return;
    const devices = (state.devices ??= await readDemoProducers({ db, userName: user, most: senders }));
    const turn = state.turn++;
    const nextSenders = Array.from(
      { length: sendAtOnce },
      (_, index) => devices[(turn * sendAtOnce + index) % devices.length],
    );
    const acts = nextSenders.map(async (device) => {
      if (!device) return;
      await send({ ...ofDevice(device), body: { payload: JSON.stringify(measuredAt(device, now().getTime())) } });
      heard(device.id);
    });
    const isVan = ({ user_id, machine_type, longitude }: DemoDevice) =>
      user_id !== user && machine_type === 'smartphone' && longitude !== null;
    const moves = devices
      .filter(isVan)
      .slice(0, drivers)
      .map((device) => {
        const sentBody = validBody({ position: positionOf(device, turn) });
        return updateResource({ ...ofDevice(device), sentBody });
      });
    // A device that has left its swarms, was handed over or deleted sends nothing any more.
    const outcomes = await Promise.allSettled([...acts, ...moves]);
    if (outcomes.some(({ status }) => status === 'rejected')) state.devices = undefined;
  }

  return {
    /** A page of the user is open, until the returned function is called. */
    watch(user: string): () => void {
      const known = talking.get(user);
      if (!known && talking.size >= talkingAtMost) return () => {};
      // Not while the turn before still waits for the database.
      const next = shareNextRun(() => talk(user).catch(report));
      const timer = known?.timer ?? setInterval(() => void next(), everyMs);
      const state = known ?? { pages: 0, turn: 0, devices: undefined, timer };
      talking.set(user, state);
      state.pages += 1;
      return () => {
        state.pages -= 1;
        if (state.pages > 0) return;
        clearInterval(state.timer);
        talking.delete(user);
      };
    },
    /** The demo of the user was added or removed. */
    isChanged(user: string) {
      const state = talking.get(user);
      if (state) state.devices = undefined;
    },
    close() {
      for (const { timer } of talking.values()) clearInterval(timer);
      talking.clear();
    },
  };
}

const ofDevice = ({ id, user_id: userId }: DemoDevice) => ({ id, userId });

/** On a circle of about two kilometres around where it was. */
function positionOf(device: DemoDevice, turn: number) {
  const angle = turn / 15;
  const round = (value: number) => Math.round(value * 1e5) / 1e5;
  return {
    longitude: round(device.longitude! + 0.03 * (Math.cos(angle) - 1)),
    latitude: round(device.latitude! + 0.018 * Math.sin(angle)),
  };
}
