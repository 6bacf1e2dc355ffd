import { z } from '@hono/zod-openapi';
import { reportedTime } from '../../contract.ts';
import { swarmValues, valueKeysChosen, values } from './values.schema.ts';
import { escapeFormula, toLine } from '../../core/resources/device-export.ts';
import { byAccept, prefers } from '../../core/http/accept.ts';
import { parsed } from '../../core/http/query.ts';
import { bodyOf, type BodyChunk } from '../../core/http/streamed-body.ts';
import { dayMs } from '../../core/limits/durations.ts';
import { idFormat } from '../../core/limits/field-rules.ts';
import { inDigits } from '../../core/limits/limit-tables.ts';
import { valueLimits } from './limits.ts';
import { Problem } from '../../core/problem.ts';
import { endpointsOf, notStored } from '../../core/endpoint/endpoint.ts';
import { json, pathIds } from '../../core/endpoint/openapi.ts';
import type { ServiceApp, ServiceContext } from '../../core/endpoint/service-app.ts';
import type { Messages } from '../messages/messages.ts';
import { readerOf } from '../messages/swarm-reader.ts';
import type { Stores } from '../../core/stores.ts';
import type { Readable, ValueReads, ValuesAsked } from './values.store.ts';
import type { SeriesText } from './series-text.ts';

const {
  keysAsked,
  devicesAsked,
  pointsOfSeries,
  numbers,
  states,
  textLength,
  pointHours,
  points,
  stepDays,
  hourDays,
  steps: mostSteps,
  seriesOfAnswer,
  lastMessages,
  messages: messagesRead,
  messageBytes,
} = valueLimits;

/** Texts separated by commas. In one of them, a comma is written as `%2C`, and a percent sign as `%25`. */
const listOf = (what: string, most: number) =>
  parsed(`1 to ${most} ${what}, separated by commas`, (text) => {
    try {
      const found = [...new Set(text.split(',').map(decodeURIComponent))];
      return found.length <= most && !found.includes('') ? found : undefined;
    } catch {
      return undefined;
    }
  });

const keys = listOf('keys', keysAsked);
const ofKeys = { type: 'string', example: 'temperature,battery.volts' } as const;
const range = {
  from: reportedTime.optional().openapi({ param: { description: 'The first time. A day before `to` if absent' } }),
  to: reportedTime.optional().openapi({ param: { description: 'The last time. Now if absent' } }),
  format: z
    .enum(['json', 'csv'])
    .optional()
    .openapi({
      default: 'json',
      param: {
        description:
          'The format of the response. If absent, `Accept` may prefer the other one. A file has all points and steps that are kept',
      },
    }),
};

const columnsOfDevice = ['at', 'key', 'value', 'first', 'last', 'min', 'max', 'count'];
const columnsOfSwarm = ['at', 'resource_id', 'name', ...columnsOfDevice.slice(1)];
const csvOf = (columns: readonly string[]) =>
  z.string().openapi({
    description:
      'UTF-8 with a byte-order mark. The value of a step is its mean; a point, and a state, has no other columns. In a text, an apostrophe stands ' +
      'before what a spreadsheet could run as a formula.',
    pattern: `^\\uFEFF?${columns.join(',')}\\r\\n`,
    example: `\uFEFF${columns.join(',')}\r\n`,
  });

const whatIsKept =
  `Of a resource with \`keep_values\`, up to ${numbers} numbers and ${states} booleans and texts (their first ${textLength} characters) of its messages without ` +
  '`to`: in objects by their paths, not in arrays, and not in what is `base64`. A new key takes the place of one that was not sent for a day; a boolean or text that changes from time to time takes that of one that does not change, or that is another one in each message. The owner can choose others (`setValueKeys`). ' +
  `All points are kept for ${pointHours} hours (the last ${inDigits(points)} messages), steps of five minutes for ${stepDays} days, and hourly steps for ${hourDays} days, ${inDigits(mostSteps)} steps at most. ` +
  'Of booleans and texts, the changes are kept. A time before `keep_values` was switched on is left out.';
const stepOfAnswer = `The step is chosen so that no series has more than ${inDigits(pointsOfSeries)} points.`;

interface ValueDeps {
  reads: ValueReads;
  resources: Pick<Stores['resources'], 'require'>;
  swarms: Pick<Stores['swarms'], 'require'>;
  messages: Pick<Messages, 'memberReads'>;
  choose: (chosen: { id: string; userId: string; keys: readonly string[] | null }) => Promise<boolean>;
  now: () => Date;
}

/** Extension: the values of devices over time. */
export function valueRoutes(app: ServiceApp, deps: ValueDeps): void {
  deviceRoute(app, deps);
  keysRoute(app, deps);
  swarmRoute(app, deps);
}

/** @throws `query.invalid` if it ends before it begins */
function rangeOf({ from, to }: { from?: string; to?: string }, now: () => Date): { from: number; to: number } {
  const last = to === undefined ? now().getTime() : Date.parse(to);
  // What is older is not kept.
  const oldest = now().getTime() - hourDays * dayMs - dayMs;
  const first = Math.max(oldest, from === undefined ? last - dayMs : Date.parse(from));
  if (from !== undefined && Date.parse(from) > last)
    throw new Problem('query.invalid', {
      errors: [{ pointer: '?from', code: 'query.invalid', detail: 'must not be after `to`' }],
    });
  return { from: first, to: Math.max(first, last) };
}

const rangeText = ({ from, to }: { from: number; to: number }, step: number) =>
  JSON.stringify({ from: new Date(from).toISOString(), to: new Date(to).toISOString(), step }).slice(0, -1);

function deviceRoute(app: ServiceApp, { reads, resources, now }: ValueDeps): void {
  const endpoint = endpointsOf(app, { tag: 'Resources', isExtension: true });
  endpoint(
    {
      operation: 'getValues',
      method: 'get',
      path: '/resources/{resource_id}/values',
      summary: 'Get the values of a resource over time',
      description:
        `${whatIsKept} If \`keep_values\` is off, these are the values of the messages that are there, the newest ${inDigits(messagesRead)} and ${messageBytes / 1024 / 1024} MiB of them. ` +
        'Other users who see the resource get what was sent to swarms whose messages they may read, from when they may. ' +
        stepOfAnswer,
      params: pathIds('resource_id'),
      query: z.object({
        keys: keys.optional().openapi({
          ...ofKeys,
          param: {
            description: `Up to ${keysAsked} keys; a comma in a key is \`%2C\`. All if absent, up to ${seriesOfAnswer} series`,
          },
        }),
        last: z
          .enum(['yes', 'no'])
          .optional()
          .openapi({
            default: 'no',
            param: {
              description:
                `Only the last value of each key, however old: of what is kept, and of the newest ${lastMessages} messages. \`from\`, \`to\` and \`format\` ` +
                'do not count',
            },
          }),
        ...range,
      }),
      responses: {
        200: {
          description: 'The values',
          content: { ...json(values), 'text/csv': { schema: csvOf(columnsOfDevice) } },
        },
      },
      fails: [404],
    },
    async (c, { userId, requester, params: { resource_id: id }, query, replyJson }) => {
      const { keys: wanted, last, format = formatOf(c), ...times } = query();
      const asked = { id, requester, keys: wanted, ...rangeOf(times, now) };
      const readable = async () => {
        await resources.require({ userId, id, operation: 'getValues' });
        const device = await reads.readable(asked);
        if (!device) throw new Problem('resource.not_found');
        return device;
      };
      const device = await readable();
      const isLast = last === 'yes';
      if (format === 'csv' && !isLast)
        return respondWithFile(c, columnsOfDevice, reads.lines(asked, { mayRead: readable, between: () => [] }));
      const { step, bytes } = await (isLast
        ? reads.last(device, asked)
        : reads.series(device, { ...asked, leastStep: 0 }));
      const { leftOut, chosen } = device;
      const kept = {
        kept_since: device.since,
        ...(device.isFull && { is_full: true }),
        ...(leftOut.length > 0 && { left_out: leftOut }),
        ...(chosen && { chosen_keys: chosen }),
      };
      const text = joined(`${rangeText(asked, step)},${JSON.stringify(kept).slice(1, -1)},"series":`, bytes, '}');
      return replyJson(text, byAccept);
    },
  );
}

function keysRoute(app: ServiceApp, { resources, choose }: ValueDeps): void {
  const endpoint = endpointsOf(app, { tag: 'Resources', isExtension: true });
  endpoint(
    {
      operation: 'setValueKeys',
      method: 'put',
      path: '/resources/{resource_id}/values/keys',
      summary: 'Choose which values of a resource are recorded',
      description: `By their keys, up to ${numbers} numbers and ${states} booleans and texts. What is recorded already stays. They are chosen until \`keep_values\` is switched off.`,
      params: pathIds('resource_id'),
      body: valueKeysChosen,
      responses: { 200: { description: 'The chosen keys', content: json(valueKeysChosen) } },
      fails: [403, 404, 409, 507],
    },
    async (_c, { userId, params: { resource_id: id }, receiveBody, reply }) => {
      const sentBody = await receiveBody();
      await resources.require({ userId, id, operation: 'setValueKeys' });
      const { keys: chosen } = sentBody.check();
      if (!(await choose({ id, userId, keys: chosen }))) throw new Problem('values.not_recorded');
      return reply({ keys: chosen });
    },
  );
}

function swarmRoute(app: ServiceApp, { reads, swarms, messages, now }: ValueDeps): void {
  const endpoint = endpointsOf(app, { tag: 'Messages', isExtension: true });
  endpoint(
    {
      operation: 'getSwarmValues',
      method: 'get',
      path: '/swarms/{swarm_id}/values',
      summary: 'Get what members have sent to a swarm over time',
      description:
        'For its owner, its managers and watchers, and users with a consumer in it: what these resources have sent to this swarm, from when both the caller and ' +
        `the resource were in it. A resource that is no member has no series. ${stepOfAnswer} It is the same for all series.`,
      params: pathIds('swarm_id'),
      query: z.object({
        resource_ids: listOf('ids of resources', devicesAsked).openapi({
          type: 'string',
          param: { description: `Up to ${devicesAsked} members` },
        }),
        keys: keys.openapi({
          ...ofKeys,
          param: { description: `Up to ${keysAsked} keys; a comma in a key is \`%2C\`` },
        }),
        ...range,
      }),
      responses: {
        200: {
          description: 'The values',
          content: { ...json(swarmValues), 'text/csv': { schema: csvOf(columnsOfSwarm) } },
        },
      },
      fails: [404],
    },
    async (c, { userId, params: { swarm_id: swarm }, query, replyJson }) => {
      const { resource_ids: ids, keys: wanted, format = formatOf(c), ...times } = query();
      const { signal } = c.req.raw;
      const requester = { user: userId, signal };
      const period = rangeOf(times, now);
      const askedOf = (id: string) => ({ id, requester, swarm, keys: wanted, ...period });
      const mayRead = () => readerOf({ messages, swarms }, { userId, swarmId: swarm, signal }, 'getSwarmValues');
      await mayRead();
      const members = ids.filter((id) => idFormat.test(id));
      if (format === 'csv')
        return respondWithFile(c, columnsOfSwarm, linesOfSwarm(reads, members.map(askedOf), mayRead));
      const found = await seriesOfSwarm(reads, members.map(askedOf));
      const step = Math.max(0, ...found.map(({ series }) => series.step));
      const items = ids.map((id) => {
        const member = found.find((each) => each.id === id);
        const [seen] = member?.device.swarms ?? [];
        const since = seen && { since: new Date(seen.since).toISOString() };
        return Buffer.concat([
          Buffer.from(`${JSON.stringify({ resource_id: id, ...since }).slice(0, -1)},"series":`),
          member?.series.bytes ?? Buffer.from('[]'),
          Buffer.from('}'),
        ]);
      });
      const list = Buffer.concat(items.flatMap((item, index) => (index === 0 ? [item] : [Buffer.from(','), item])));
      return replyJson(joined(`${rangeText(period, step)},"items":[`, list, ']}'), byAccept);
    },
  );
}

const formatOf = (c: ServiceContext) => (prefers(c.req.header('accept'), 'text/csv') ? 'csv' : 'json');

function joined(before: string, bytes: Uint8Array, after: string): Uint8Array<ArrayBuffer> {
  return Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
}

/** The series of members with one step: the longest that one of them needs. */
async function seriesOfSwarm(reads: ValueReads, all: readonly ValuesAsked[]) {
  const found: { id: string; device: Readable; asked: ValuesAsked; series: SeriesText }[] = [];
  let longest = 0;
  for (const asked of all) {
    const device = await reads.readable(asked);
    if (!device) continue;
    const series = await reads.series(device, { ...asked, leastStep: longest });
    longest = Math.max(longest, series.step);
    found.push({ id: asked.id, device, asked, series });
  }
  for (const each of found)
    if (each.series.step < longest)
      each.series = await reads.series(each.device, { ...each.asked, leastStep: longest });
  return found;
}

async function* linesOfSwarm(
  reads: ValueReads,
  all: readonly ValuesAsked[],
  mayReadSwarm: () => Promise<unknown>,
): AsyncGenerator<BodyChunk, void> {
  for (const asked of all) {
    // Undefined for one that is no member, or has left meanwhile: the file goes on with the next one.
    const mayRead = async () => {
      await mayReadSwarm();
      return reads.readable(asked);
    };
    yield* reads.lines(asked, { mayRead, between: ({ id, name }) => [id, escapeFormula(name)] });
  }
}

async function respondWithFile(
  c: ServiceContext,
  columns: readonly string[],
  lines: AsyncGenerator<BodyChunk, void>,
): Promise<Response> {
  async function* file(): AsyncGenerator<BodyChunk, void> {
    // Without the byte-order mark, spreadsheets do not read it as UTF-8.
    yield `\uFEFF${toLine(columns, ',')}`;
    yield* lines;
  }
  return c.body(await bodyOf(c, file(), c.env.report), 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="values.csv"',
    ...notStored,
    ...byAccept,
  });
}
