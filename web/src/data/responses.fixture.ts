import { serverHeader } from '@swarmdeck/bff/first-rules';

// The responses that tests make are the server's, unless they say that another server has sent them.
const { Response: Native } = globalThis;
const isSetUp = Symbol.for('swarmdeck.responses');
if (!(isSetUp in Native)) {
  globalThis.Response = class extends Native {
    static readonly [isSetUp] = true;
    static override json(data: unknown, init?: ResponseInit) {
      return new this(JSON.stringify(data), {
        ...init,
        headers: { 'content-type': 'application/json', ...(init?.headers as Record<string, string>) },
      });
    }
    constructor(body?: BodyInit | null, init?: ResponseInit) {
      super(body, init);
      this.headers.set(serverHeader, '1');
    }
  };
}

/** As a proxy answers, or a network in which the user has to sign in first. */
export function foreignResponse(body: BodyInit | null, init?: ResponseInit): Response {
  const response = new Response(body, init);
  response.headers.delete(serverHeader);
  return response;
}
