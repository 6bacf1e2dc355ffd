import type { TestServer } from '../../tests/test-server.fixture.ts';

export type Browser = ReturnType<typeof browserOf>;

/** Keeps cookies as a browser does. */
export function browserOf(fetch: TestServer['fetch']) {
  const cookies = new Map<string, string>();
  return {
    cookies,
    /** `sentTo`: another process. */
    async send(method: string, path: string, body?: object, sentTo = fetch) {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const answer = await sentTo(path, {
        method,
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
        ...(body && { body: JSON.stringify(body) }),
      });
      for (const set of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
        if (set.includes('Max-Age=0')) cookies.delete(name!);
        else cookies.set(name!, value!);
      }
      return answer;
    },
  };
}
