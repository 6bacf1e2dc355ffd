/** The cases of the contract table: a request and its expected response. */
import type { Invitation, Resource, Swarm } from '../contract.ts';
import type { ServiceClient } from './service-client.fixture.ts';
import type { RequestOptions } from './test-server.fixture.ts';

export interface Expected {
  status: number;
  code?: string;
  /** The pointers of all errors, in order. */
  pointers?: string[];
  /** The codes of the errors. */
  faults?: string[];
  body?: object | unknown[];
  headers?: Record<string, string | RegExp>;
}

/** The data of a case. The caller is Ann. Created for one case, or shared by the cases that change nothing. */
export interface Context {
  ann: ServiceClient;
  ben: ServiceClient;
  /** A resource of Ann's with its ETag, and a swarm of hers without members. */
  own: Resource;
  etag: string;
  swarm: Swarm;
  /** A resource of Ben's, a swarm of his without members, and an open invitation to it for `own`, as consumer. */
  theirs: Resource;
  theirSwarm: Swarm;
  invitation: Invitation;
  /** A swarm of Ann's with one member: her own device with both roles. */
  home: { swarm: Swarm; device: Resource };
  /** Uses up a quota of Ann's, or the members of a swarm. */
  fill: (full: 'resources' | 'swarms' | 'invitations' | { swarm: Swarm }) => Promise<unknown>;
  /** Advances the clock. */
  later: () => void;
}

export interface Case {
  title: string;
  /** Returns the request; may prepare data. */
  request: (context: Context) => RequestOptions | Promise<RequestOptions>;
  expect: Expected | ((context: Context) => Expected);
  isReadOnly?: boolean;
}
export type Cases = Record<string, Case[]>;

export const unknownId = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10';
export const get = (path: string, headers = {}): RequestOptions => ({ path, headers });
export const post = (path: string, body: unknown, headers = {}): RequestOptions => ({
  method: 'POST',
  path,
  body,
  headers,
});
export const put = (path: string, body: unknown, headers = {}): RequestOptions => ({
  method: 'PUT',
  path,
  body,
  headers,
});
export const remove = (path: string, headers = {}): RequestOptions => ({ method: 'DELETE', path, headers });

export const invalidBody = (...pointers: string[]): Expected => ({ status: 400, code: 'body.invalid', pointers });
export const tooMany = (noun: string): Expected => ({ status: 409, code: `${noun}.too_many` });
export const notFound = (noun: string): Expected => ({ status: 404, code: `${noun}.not_found` });
export const forbidden = (noun: string): Expected => ({ status: 403, code: `${noun}.forbidden` });
export const allows = (allow: string): Expected => ({
  status: 405,
  code: 'route.method_not_allowed',
  headers: { allow },
});

/** Marks cases that change nothing: they share one world, which must be unchanged at the end. */
export const readOnlyCases = (cases: Case[]): Case[] => cases.map((each) => ({ ...each, isReadOnly: true }));

/** Ids that do not exist, for each position in a path. */
export function strangeIds(noun: string, request: (context: Context, id: string) => RequestOptions): Case[] {
  const ids = {
    'an unknown id': () => unknownId,
    'an id that is not a UUID': () => '1',
    'an encoded slash': () => '%2f',
    'an id that cannot be decoded': () => '%zz',
    'an id in capitals': ({ own }: Context) => own.id.toUpperCase(),
  };
  return readOnlyCases(
    Object.entries(ids).map(([title, id]) => ({
      title,
      request: (context) => request(context, id(context)),
      expect: notFound(noun),
    })),
  );
}

const unreadable: Expected = { status: 400, code: 'body.unreadable' };
const notJson: Expected = { status: 415, code: 'body.not_json' };
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/** The invalid bodies of every operation with a body. `body`: a valid one. */
export function strangeBodies(
  request: (context: Context, body: unknown, headers?: Record<string, string>) => RequestOptions,
  body: (context: Context) => object,
): Case[] {
  const text = (context: Context) => JSON.stringify(body(context));
  const firstField = (context: Context) => Object.keys(body(context))[0]!;
  const with_ = (field: (context: Context) => string) => (context: Context) =>
    `${text(context).slice(0, -1)},${field(context)}}`;
  const escaped = (name: string) => `\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}`;

  const unread: Record<string, (context: Context) => unknown> = {
    'malformed JSON': () => '{"name"',
    'an empty body': () => '',
    'a duplicate field': with_((context) => `"${firstField(context)}":1`),
    'a duplicate field, once with an escaped name': with_((context) => `"${escaped(firstField(context))}":1`),
    'a duplicate field with spaces before its colon': with_((context) => `"${firstField(context)}"${' '.repeat(99)}:1`),
    __proto__: with_(() => '"__proto__":{}'),
    'a byte-order mark': (context) => `\ufeff${text(context)}`,
    'nested 9 deep': () => nested(9),
    'an aborted body': () => new ReadableStream({ start: (body) => body.error(new Error('aborted')) }),
    'invalid UTF-8': (context) => Buffer.concat([Buffer.from(text(context)), Buffer.from([0xff])]),
  };
  const types = {
    'another media type': 'application/x-www-form-urlencoded',
    'a media type that only starts like JSON': 'application/jsonp',
    'no media type': '',
  };
  return readOnlyCases([
    ...Object.entries(unread).map(([title, make]) => ({
      title,
      request: (context: Context) => request(context, make(context)),
      expect: unreadable,
    })),
    { title: 'an array', request: (context) => request(context, []), expect: invalidBody('') },
    { title: 'null', request: (context) => request(context, 'null'), expect: invalidBody('') },
    { title: 'text', request: (context) => request(context, '"text"'), expect: invalidBody('') },
    {
      title: 'an unknown field is named, with its pointer escaped',
      request: (context) => request(context, { ...body(context), 'a/b~c': 1 }),
      expect: invalidBody('/a~1b~0c'),
    },
    {
      title: 'more than 64 KiB',
      request: (context) => request(context, { ...body(context), description: 'a'.repeat(66_000) }),
      expect: { status: 413, code: 'body.too_large' },
    },
    ...Object.entries(types).map(([title, type]) => ({
      title,
      request: (context: Context) => request(context, body(context), { 'content-type': type }),
      expect: notJson,
    })),
  ]);
}

/** The invalid texts of a field. */
export function strangeTexts(pointer: string, request: (context: Context, text: string) => RequestOptions): Case[] {
  const texts = { 'a control character': 'a\u0007b', NUL: 'a\0b', 'half a surrogate pair': 'a\ud800' };
  return readOnlyCases(
    Object.entries(texts).map(([title, text]) => ({
      title: `${title} in ${pointer}`,
      request: (context) => request(context, text),
      expect: invalidBody(pointer),
    })),
  );
}

/** The invalid names: a name has 1 to 128 code points, and must be visible. */
export function strangeNames(request: (context: Context, name: unknown) => RequestOptions): Case[] {
  const names: Record<string, unknown> = {
    '129 code points': 'a'.repeat(129),
    'an empty name': '',
    'an invisible name': ' \u200b\u2060 ',
    'a name of filler characters': '\u3164\u115f\uffa0\u2800',
    'a numeric name': 1,
    'a null name': null,
  };
  const cases = Object.entries(names).map(([title, name]) => ({
    title,
    request: (context: Context) => request(context, name),
    expect: invalidBody('/name'),
  }));
  return [...readOnlyCases(cases), ...strangeTexts('/name', request)];
}

/** The idempotency cases of a POST. `body` returns a different body for every context. */
export function onceForAKey(
  request: (context: Context, body: unknown, headers: Record<string, string>) => RequestOptions,
  body: (context: Context) => object,
  another: (context: Context) => object,
): Case[] {
  return [
    {
      title: 'a malformed Idempotency-Key',
      request: (context) => request(context, body(context), { 'idempotency-key': 'a b' }),
      expect: { status: 400, code: 'idempotency.key_invalid' },
      isReadOnly: true,
    },
    {
      title: 'the same Idempotency-Key with another body',
      async request(context) {
        const headers = { 'idempotency-key': context.own.id };
        await context.ann.request(request(context, body(context), headers));
        return request(context, another(context), headers);
      },
      expect: { status: 400, code: 'idempotency.other_body' },
    },
    {
      title: 'the same Idempotency-Key with the same body',
      async request(context) {
        const asked = request(context, body(context), { 'idempotency-key': context.own.id });
        await context.ann.request(asked);
        return asked;
      },
      expect: { status: 201 },
    },
  ];
}
