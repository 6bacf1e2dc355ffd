import { Server } from 'node:http';

/**
 * With this module, a server takes each request of the app or of a device only after a random time of up to
 * SWARMDECK_DELAY ms, so that answers and events come in another order than usual.
 */
const mostMs = Number(process.env.SWARMDECK_DELAY);
const { emit } = Server.prototype;
Server.prototype.emit = function (this: Server, name: string, ...given: { url?: string }[]) {
  const take = () => emit.call(this, name, ...given);
  if (name !== 'request' || !/^\/(api|auth|service)\//.test(given[0]?.url ?? '')) return take();
  setTimeout(take, Math.random() * mostMs);
  return true;
};
