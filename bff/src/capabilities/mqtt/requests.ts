/** Makes requests to the service of packets, with the keys of their devices, as over HTTP. */
import type { MessageSend } from '../../contract.ts';
import type { ServiceBindings } from '../../core/http/request-bindings.ts';
import { idFormat } from '../../core/limits/field-rules.ts';
import type { SentBody } from '../../core/sent-body.ts';
import type { Connection, Device } from './connection.ts';
import { messageOf } from './payload.ts';
import { positionRequest } from './position.ts';
import type { PacketProperties } from './properties.ts';

/** A request to the service. `of`: whether `path` is below that of the device, which is the default, or below that of the service. */
export interface Asked {
  path: string;
  of?: 'device' | 'service';
  method?: string;
  body?: string;
  /** The body of a message, which is read after the request was counted. */
  messageBody?: () => SentBody<MessageSend>;
}

export interface ServiceDoor {
  /** Serves a request with a key, as for HTTP: the service's `fetch` (endpoint/key-guard.ts). */
  fetch: (request: Request, bindings: ServiceBindings) => Response | Promise<Response>;
  baseUrl: string;
  keyHeader: string;
  newId: () => string;
}

const encoder = new TextEncoder();
/** The part of `Headers` that the service uses. `values`: by name, in lower case. */
const headersOf = (values: Record<string, string>) => ({ get: (name: string) => values[name] ?? null }) as Headers;

/** The service gets the part of a `Request` that it uses: for each message, the streams of a real one cost 7 µs, and its headers 2. */
export function ask(
  { fetch, baseUrl, keyHeader, newId }: ServiceDoor,
  { address, isWill = false }: Pick<Connection, 'address'> & { isWill?: boolean },
  {
    device,
    path,
    of = 'device',
    method = 'GET',
    body = '',
    messageBody,
  }: Asked & { device: Pick<Device, 'id' | 'key'> },
): Response | Promise<Response> {
  const bytes = encoder.encode(body);
  const headers = headersOf({
    [keyHeader]: device.key,
    'content-type': 'application/json',
    'content-length': String(bytes.length),
  });
  const url = of === 'device' ? `${baseUrl}/resources/${device.id}${path}` : `${baseUrl}${path}`;
  const request = { method, url, headers, arrayBuffer: async () => bytes.buffer } as Partial<Request> as Request;
  let id: string | undefined;
  const bindings: ServiceBindings = {
    clientAddress: () => address,
    requestId: () => (id ??= newId()),
    outgoing: undefined,
    isWill,
    body: messageBody,
  };
  return fetch(request, bindings);
}

/** A message, or a will. */
interface Publication {
  topic: string;
  payload: string | Buffer;
  properties?: PacketProperties | undefined;
}

/** The parser returns a Buffer. */
export const payloadBytes = ({ payload }: Pick<Publication, 'payload'>): Buffer =>
  typeof payload === 'string' ? Buffer.from(payload) : payload;

/** The request of a publication; undefined if there is none with this topic. */
export function requestOf(publication: Publication): Asked | undefined {
  const { topic, properties } = publication;
  const payload = payloadBytes(publication);
  const ofPosition = positionRequest(topic, payload);
  if (ofPosition) return ofPosition;
  const [name, swarm, to, ...more] = topic.split('/');
  if (name !== 'messages' || more.length > 0) return undefined;
  if ([swarm, to].some((id) => id !== undefined && !idFormat.test(id))) return undefined;
  const where = { ...(swarm && { swarm_id: swarm }), ...(to && { to }) };
  return { method: 'POST', path: '/messages', messageBody: () => messageOf(payload, { where, properties }) };
}
