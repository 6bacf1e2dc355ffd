/** Runs the example of bff/README.md exactly as it is printed there, and “Connect a device” of README.md except for its address. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process, { env as ownEnv } from 'node:process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Event, Invitation, Swarm } from '../contract.ts';
import { createSender, long, startServer, temporaryDataDir } from './process.fixture.ts';
import { createClient } from './restart.fixture.ts';

const root = join(import.meta.dirname, '../../..');

function storyOf(readme: string): string {
  const [, story] = /\n## A complete example with curl\n[^#]*?\n```sh\n(.*?)\n```\n/s.exec(readme) ?? [];
  return story ?? '';
}

/** A PATH with a replacement for `curl`, which runs with this Node. */
const replacementPath = [join(import.meta.dirname, 'bin'), dirname(process.execPath), ownEnv['PATH']].join(':');

async function run({ story, base, dataDir, path }: { story: string; base: string; dataDir: string; path: string }) {
  const env = { ...ownEnv, PATH: path, BASE: base, DATA_DIR: dataDir };
  const shell = spawn('sh', ['-c', story], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], stdout, stderr] = await Promise.all([once(shell, 'close'), text(shell.stdout), text(shell.stderr)]);
  return { code: code as number, stdout, stderr };
}

/** The responses below each heading, and the events that Ben received. */
function read(stdout: string) {
  const lines = stdout.split('\n').filter((line) => line !== '');
  const received = lines.filter((line) => line.startsWith('    Ben receives '));
  const events = received.map((line) => JSON.parse(line.slice('    Ben receives '.length)) as Event);
  const answers: Record<string, unknown[]> = {};
  for (const line of lines.filter((each) => !received.includes(each))) {
    if (line.startsWith('# ')) answers[line.slice(2)] = [];
    else Object.values(answers).at(-1)!.push(JSON.parse(line));
  }
  return { events, answers };
}

const story = storyOf(readFileSync(join(root, 'bff/README.md'), 'utf8'));
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const both = ['curl', 'a replacement for curl'];
/** The long run uses both where there is curl. */
const entryPoints = hasCurl ? both.slice(0, long ? 2 : 1) : both.slice(1);

test.concurrent.each(entryPoints)('the example runs with %s', async (entryPoint) => {
  const { dataDir, [Symbol.dispose]: removeFolder } = temporaryDataDir();
  const server = await startServer({ dataDir });
  const path = entryPoint === 'curl' ? ownEnv['PATH']! : replacementPath;
  try {
    const { code, stdout, stderr } = await run({ story, base: `${server.origin}/service`, dataDir, path });
    // npm scripts may print their progress here.
    const faults = stderr.split('\n').filter((line) => line.startsWith('curl:'));
    expect({ code, faults }, stderr).toEqual({ code: 0, faults: [] });
    expectStory(read(stdout));
  } finally {
    await server[Symbol.asyncDispose]();
    removeFolder();
  }
});

test.concurrent.each(entryPoints)(
  'two terminals of “Connect a device”: one receives what the other sends, with %s',
  async (entryPoint) => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const steps = readme.slice(readme.indexOf('## Connect a device'), readme.indexOf('## Install it'));
    const [receiving, sending, ...more] = [...steps.matchAll(/```sh\n(.*?)\n *```/gs)].map(([, lines]) => lines!);
    expect(more).toEqual([]);
    const { dataDir, [Symbol.dispose]: removeFolder } = temporaryDataDir();
    const server = await startServer({ dataDir });
    const path = entryPoint === 'curl' ? ownEnv['PATH']! : replacementPath;
    try {
      const ann = await createClient({ send: createSender(server.origin), name: 'ann' });
      const make = async (path: string, body: object) =>
        (JSON.parse((await ann.request({ method: 'POST', path, body })).body) as { id: string }).id;
      const swarm = await make('/swarms', { name: 'River levels', description: '' });
      const device = async (resource_type: string) => {
        const resource_id = await make('/resources', { name: resource_type, machine_type: 'bug' });
        await make(`/swarms/${swarm}/resources`, { resource_id, resource_type });
        return resource_id;
      };
      const ids = { CONSUMER: await device('consumer'), PRODUCER: await device('producer') };
      const env = { ...ownEnv, PATH: path, DATA_DIR: dataDir, ...ids };
      const terminal = (lines: string) => {
        const story = lines.replaceAll('http://127.0.0.1:3000', server.origin);
        return spawn('sh', ['-c', story], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
      };
      const receiver = terminal(receiving!);
      let received = '';
      receiver.stdout.on('data', (chunk: Buffer) => (received += chunk.toString()));
      // Until the stream is open, a message is not for it.
      const isSent = async () => {
        const answer = await text(terminal(sending!).stdout);
        expect(JSON.parse(answer)).toMatchObject({ swarms: [swarm] });
        return received;
      };
      await expect.poll(isSent).toMatch(/\n/);
      expect(JSON.parse(received.split('\n')[0]!)).toMatchObject({ from: ids.PRODUCER, payload: { level: 4.2 } });
      process.kill(-receiver.pid!);
      await once(receiver, 'close');
    } finally {
      await server[Symbol.asyncDispose]();
      removeFolder();
    }
  },
);

function expectStory({ events, answers }: ReturnType<typeof read>) {
  const said = (headline: string) => answers[headline] as Invitation[];
  const asConsumer = { status: 'accepted', resource_type: 'consumer' };
  const asProducer = { status: 'accepted', resource_type: 'producer' };
  const rejected = { status: 'rejected', resource_type: 'producer' };
  const ended = { status: 'rejected', resource_type: 'consumer' };
  expect(said('The hub is invited as consumer, and Ben accepts')).toMatchObject([asConsumer]);
  const [accepted, swarms] = answers['It is also invited as producer: now it has both roles'] as [Invitation, Swarm[]];
  expect(accepted).toMatchObject(asProducer);
  expect(swarms).toMatchObject([{ name: 'Harbour weather', resources: [{ resource_type: 'both' }] }]);
  expect(said('The gauge is rejected')).toMatchObject([rejected]);
  const [again] = said('Ann invites the gauge again, resends the invitation and withdraws it');
  expect(again).toMatchObject({ status: 'new', resource_type: 'producer' });
  const [sent, received] = answers['What Ann sent, and what Ben received'] as [Invitation[], Invitation[]];
  expect(sent).toMatchObject([asConsumer, asProducer, rejected, ended]);
  expect(received).toEqual(sent);

  // An invitation that was withdrawn before its event was made has none, and this one is withdrawn at once.
  const isWithdrawn = ({ type, data }: Event) => type === 'invitation.received' && data['id'] === again!.id;
  // A position is a sign of life, which has an event some seconds later.
  const isLater = ({ type }: Event) => type === 'presence.changed';
  expect(events.filter((event) => !isWithdrawn(event) && !isLater(event)).map(({ type }) => type)).toEqual([
    'resource.created',
    'resource.created',
    'resource.created',
    'resource.updated',
    'invitation.received',
    'invitation.updated',
    'membership.changed',
    'invitation.received',
    'invitation.updated',
    'membership.changed',
    'invitation.received',
    'invitation.updated',
    'invitation.withdrawn',
    'membership.changed',
    'invitation.received',
    'resource.destroyed',
    'invitation.updated',
  ]);
  expect(events.filter(isWithdrawn).length).toBeLessThanOrEqual(2);
}
