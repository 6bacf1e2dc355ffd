import { request as httpRequest, type IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import type { Message, MessageSent } from '../contract.ts';

/** A device that receives: a stream of its messages over a connection of its own. */
export interface Receiver {
  status: number;
  messages: Message[];
  /** For `Last-Event-ID`. */
  lastId(): string;
  /** Empty lines and lines without a message. */
  others: string[];
  /** What came instead of a message. */
  data: string[];
  /** Resolves when what was missed has arrived: then the server sends an id without a message. Not for lines. */
  caughtUp: Promise<void>;
  ended: Promise<void>;
  hasEnded(): boolean;
  until(isMeant: (messages: readonly Message[]) => boolean): Promise<void>;
  /** Does not read until `resume`. */
  pause(): void;
  resume(): void;
  close(): void;
  /** Its other end is gone without a word: nothing is read, and the connection is not closed. */
  leave(): void;
}

/** Opens a stream of messages. Resolves when the server has sent the header and what was missed. */
export async function receive(
  origin: string,
  {
    key,
    device,
    after,
    lines = false,
    path,
  }: { key: string; device: string; after?: string; lines?: boolean; path?: string },
): Promise<Receiver> {
  const sent = httpRequest(`${origin}${path ?? `/service/resources/${device}/messages`}`, {
    agent: false,
    headers: {
      accept: lines ? 'application/x-ndjson' : 'text/event-stream',
      ...(key.startsWith('swb_') ? { 'x-serviceapikey': key } : { cookie: key }),
      ...(after !== undefined && { 'last-event-id': after }),
    },
  });
  sent.end();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  const messages: Message[] = [];
  const others: string[] = [];
  const data: string[] = [];
  let rest = '';
  let lastId = after ?? '';
  let nextId = '';
  let changed = Promise.withResolvers<void>();
  let hasEnded = false;
  let isMessage = false;
  const caughtUp = Promise.withResolvers<void>();
  const take = (line: string) => {
    if (line.startsWith('id: ')) nextId = line.slice(4);
    else if (line === '' && !lines) {
      if (nextId !== '' && !isMessage) caughtUp.resolve();
      isMessage = false;
      lastId = nextId || lastId;
    } else if (line.startsWith('data: ') || line.startsWith('{')) {
      const text = line.replace('data: ', '');
      const message = JSON.parse(text) as Message;
      isMessage = message.id !== undefined;
      if (isMessage) messages.push(message);
      else data.push(text);
      if (lines && isMessage) lastId = message.id;
    } else others.push(line);
  };
  answer.setEncoding('utf8');
  answer.on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop()!;
    parts.forEach(take);
    changed.resolve();
    changed = Promise.withResolvers();
  });
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      hasEnded = true;
      changed.resolve();
      resolve();
    };
    answer.once('end', end).once('error', end).once('close', end);
  });
  const receiver: Receiver = {
    status: answer.statusCode!,
    messages,
    others,
    data,
    caughtUp: caughtUp.promise,
    ended,
    lastId: () => lastId,
    hasEnded: () => hasEnded,
    async until(isMeant) {
      while (!isMeant(messages)) {
        if (hasEnded) throw new Error(`the stream ended after ${messages.length} messages`);
        await changed.promise;
      }
    },
    pause: () => void answer.pause(),
    resume: () => void answer.resume(),
    close: () => void sent.destroy(),
    leave: () => void answer.pause(),
  };
  return receiver;
}

/** A device that sends and receives with a key, of its own or of its user. */
export function deviceClient(origin: string, { key, device }: { key: string; device: string }) {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}/service/resources/${device}/messages${path}`, {
      ...init,
      headers: {
        'x-serviceapikey': key,
        ...(init.body !== undefined && { 'content-type': 'application/json' }),
        ...init.headers,
      },
    });
  return {
    key,
    device,
    post: (body: object) => ask('', { method: 'POST', body: JSON.stringify(body) }),
    async send(payload: unknown, more: object = {}): Promise<MessageSent> {
      const answer = await ask('', { method: 'POST', body: JSON.stringify({ payload, ...more }) });
      const text = await answer.text();
      expect(answer.status, text).toBe(201);
      return JSON.parse(text) as MessageSent;
    },
    receive: ({ query = '', ...options }: { after?: string; lines?: boolean; query?: string } = {}) =>
      receive(origin, { key, device, ...options, path: `/service/resources/${device}/messages${query}` }),
    /** The array of what is there, and the next `since`. */
    async read(query = '') {
      const answer = await ask(query);
      expect(answer.status).toBe(200);
      return { messages: (await answer.json()) as Message[], next: answer.headers.get('last-event-id')! };
    },
    ask,
  };
}
export type DeviceClient = ReturnType<typeof deviceClient>;
