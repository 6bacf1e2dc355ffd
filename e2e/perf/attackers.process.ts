/**
 * A process of the bench `attack`: each user does what costs the server most and is allowed, until a message arrives. Then it
 * sends how many responses of each status they got. Real attackers have processors of their own, so it is started to use only what the server
 * leaves of these.
 */
import { connect } from 'node:net';
import { sleep, type TestUser } from './harness.ts';

export interface Attacker {
  how: keyof typeof attacks;
  user: TestUser;
  devices: string[];
  swarms: string[];
  /** An action whose items are being sent. */
  action: string;
}

const attackers: Attacker[] = [];
const counts: Record<string, number> = {};
let origin = '';

async function ask({ how, user }: Attacker, method: string, path: string, body?: Buffer | object): Promise<void> {
  const headers = path.startsWith('/api') ? user.session : user.key;
  const sent = body && (Buffer.isBuffer(body) ? body : JSON.stringify(body));
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers,
    ...(sent !== undefined && { body: sent as string }),
  });
  await answer.arrayBuffer();
  counts[`${how} ${answer.status}`] = (counts[`${how} ${answer.status}`] ?? 0) + 1;
  if (answer.status === 429) await sleep(100);
}

/** Calls `act` again and again, `atOnce` at a time. */
function repeat(atOnce: number, act: (turn: number) => Promise<void>) {
  let turn = 0;
  const again = async () => {
    for (;;) await act(turn++).catch(() => sleep(100));
  };
  for (let n = 0; n < atOnce; n++) void again();
}

const sentOf = ({ devices }: Attacker) => `/service/resources/${devices[0]}/messages/sent?limit=200`;
const pick = (some: string[], turn: number) => some[turn % some.length]!;

const attacks = {
  /** 480 connections, each with 40 requests for a long page, of which some bytes are read now and then. */
  unread(attacker: Attacker) {
    const { port, hostname } = new URL(origin);
    const headers = Object.entries(attacker.user.key).map(([name, value]) => `${name}: ${value}\r\n`);
    const request = `GET ${sentOf(attacker)} HTTP/1.1\r\nhost: ${hostname}\r\n${headers.join('')}\r\n`;
    const open = () => {
      const socket = connect({ port: Number(port), host: hostname });
      socket.on('error', () => {});
      socket.pause().write(request.repeat(40));
      const reading = setInterval(() => socket.read(8), 2000);
      socket.on('close', () => {
        clearInterval(reading);
        setTimeout(open, 1000);
      });
    };
    for (let n = 0; n < 480; n++) open();
  },
  /** Bodies of 5 MiB with a fault at their beginning. */
  bodies(attacker: Attacker) {
    const start = '{"items":[],"items":[';
    const body = Buffer.from(start + '{},'.repeat((5 * 1024 * 1024 - start.length) / 3));
    repeat(4, () => ask(attacker, 'PUT', `/api/actions/${attacker.action}/parts/0`, body));
  },
  /** Messages to all swarms, with many receivers. */
  messages(attacker: Attacker) {
    const { devices, user } = attacker;
    for (const device of devices.slice(20, 70))
      for (let stream = 0; stream < 4; stream++)
        void fetch(`${origin}/service/resources/${device}/messages`, {
          headers: { ...user.key, accept: 'text/event-stream' },
        })
          .then((answer) => answer.arrayBuffer())
          .catch(() => {});
    const payload = 'x'.repeat(16_000);
    repeat(16, (turn) => ask(attacker, 'POST', `/service/resources/${devices[turn % 20]}/messages`, { payload }));
  },
  /** How often the members of large swarms are expected. */
  expected(attacker: Attacker) {
    repeat(8, (turn) =>
      ask(attacker, 'PUT', `/service/swarms/${pick(attacker.swarms, turn)}`, { expected_every: 60 + (turn % 1000) }),
    );
  },
  /** Keys for 500 devices, long lists, searches. */
  lists(attacker: Attacker) {
    const { devices } = attacker;
    repeat(2, () => ask(attacker, 'POST', '/api/devices/keys', { resource_ids: devices.slice(0, 500) }));
    const paths = [
      '/service/resources',
      '/service/export?format=geojson',
      sentOf(attacker),
      '/api/devices?limit=1000',
      '/api/map?zoom=3&bbox=-180,-80,180,84',
      '/api/swarm-list',
    ];
    repeat(24, (turn) => ask(attacker, 'GET', pick([...paths, `/api/devices?q=sensor%20${turn}`], turn)));
  },
  /** Asks for a swarm, and sends to it, after the end of its membership. */
  removed(attacker: Attacker) {
    const [swarm] = attacker.swarms;
    const paths = ['', '/resources', '/messages?limit=200', '/messages?q=x', '/messages/export', '/invitations'];
    repeat(16, (turn) => ask(attacker, 'GET', `/service/swarms/${swarm}${pick(paths, turn)}`));
    const message = { payload: 'x'.repeat(16_000), swarm_id: swarm };
    repeat(8, () => ask(attacker, 'POST', `/service/resources/${attacker.devices[0]}/messages`, message));
  },
};

process.once('message', (started: { origin: string; attackers: Attacker[] }) => {
  origin = started.origin;
  attackers.push(...started.attackers);
  for (const attacker of attackers) attacks[attacker.how](attacker);
  process.once('message', () => process.send!(counts, () => process.exit()));
});
