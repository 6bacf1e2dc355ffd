/**
 * Moves `perSecond` devices by PUT with a key: pipelined requests over a few connections that stay open. An HTTP client
 * would use the processor time that server and browser need.
 */
import { connect, type Socket } from 'node:net';
import { sleep } from '../harness.ts';

export interface Parked {
  id: string;
  longitude: number;
  latitude: number;
}

interface Mover {
  /** The acknowledged moves since the previous call, and the rejected ones by status. */
  taken(): { moved: number; refused: Record<string, number> };
  stop(): void;
}

// A connection has one request at a time at the server.
const connections = 64;
const turnMs = 20;
/** The maximum number of pending requests: a slow server gets fewer moves, and the table shows it. */
const mostOnTheWay = 512;
/** Each device moves around a circle once in this time, which is a thousandth of a day. */
const dayMs = 86_400;
const radius = 3;
const againMs = 100;

export function startMover(options: { origin: string; key: string; devices: Parked[]; perSecond: number }): Mover {
  const { key, devices, perSecond } = options;
  const { hostname, port } = new URL(options.origin);
  const lines: Line[] = [];
  let stopped = false;
  let moved = 0;
  let refused: Record<string, number> = {};

  function answered(status: string) {
    if (status === '200') moved += 1;
    else refused[status] = (refused[status] ?? 0) + 1;
  }

  /** Reconnects after each end of the connection: the server may be down for a while. */
  async function keepOpen() {
    while (!stopped) {
      const line = openLine({ hostname, port: Number(port), answered });
      lines.push(line);
      await line.closed;
      lines.splice(lines.indexOf(line), 1);
      await sleep(againMs);
    }
  }
  for (let count = 0; count < connections; count++) void keepOpen();

  function request({ id, longitude, latitude }: Parked, index: number): string {
    const angle = ((Date.now() % dayMs) / dayMs + index / devices.length) * 2 * Math.PI;
    const position = {
      longitude: Math.max(-180, Math.min(180, longitude + radius * Math.sin(angle))),
      latitude: Math.max(-85, Math.min(85, latitude + radius * Math.cos(angle))),
    };
    const body = JSON.stringify({ position });
    return (
      `PUT /service/resources/${id} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nx-serviceapikey: ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    );
  }

  let next = 0;
  let due = 0;
  let last = performance.now();
  const turn = setInterval(() => {
    const now = performance.now();
    // at most one second of moves is sent later
    due = Math.min(due + ((now - last) * perSecond) / 1000, perSecond);
    last = now;
    const open = lines.filter((line) => line.onTheWay() < mostOnTheWay / connections);
    if (open.length === 0) return;
    const batches = open.map(() => '');
    for (; due >= 1; due -= 1, next++) {
      batches[next % open.length] += request(devices[next % devices.length]!, next % devices.length);
    }
    for (const [index, batch] of batches.entries()) if (batch) open[index]!.send(batch);
  }, turnMs);

  return {
    taken() {
      const since = { moved, refused };
      moved = 0;
      refused = {};
      return since;
    },
    stop() {
      stopped = true;
      clearInterval(turn);
      for (const line of lines) line.end();
    },
  };
}

interface Line {
  send(requests: string): void;
  onTheWay(): number;
  closed: Promise<void>;
  end(): void;
}

/** The status follows it. */
const head = 'HTTP/1.1 ';

function openLine(options: { hostname: string; port: number; answered: (status: string) => void }): Line {
  const { hostname, port, answered } = options;
  const socket: Socket = connect({ host: hostname, port, noDelay: true });
  let sent = 0;
  let back = 0;
  let rest = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    const text = rest + chunk;
    let from = 0;
    for (let at = text.indexOf(head); at !== -1; at = text.indexOf(head, from)) {
      const end = at + head.length + 3;
      if (end > text.length) break;
      answered(text.slice(end - 3, end));
      back += 1;
      from = end;
    }
    rest = text.slice(Math.max(from, text.length - head.length - 3));
  });
  socket.on('error', () => {});
  return {
    send(requests) {
      sent += requests.split(' HTTP/1.1\r\n').length - 1;
      socket.write(requests);
    },
    onTheWay: () => sent - back,
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
    end: () => socket.destroy(),
  };
}
