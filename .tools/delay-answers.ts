import { Server, type IncomingMessage } from 'node:http';

/**
 * With this module, a server takes each request of the app or of a device only after a random time of up to
 * SWARMDECK_DELAY ms, so that answers and events come in another order than usual.
 */
const mostMs = Number(process.env.SWARMDECK_DELAY);
const { emit } = Server.prototype;
Server.prototype.emit = function (this: Server, name: string, ...given: Partial<IncomingMessage>[]) {
  const take = () => emit.call(this, name, ...given);
  const [{ url = '', socket } = {}] = given;
  if (name !== 'request' || !/^\/(api|auth|service)\//.test(url)) return take();
  // a server that has stopped has waited only for requests whose clients were there
  setTimeout(() => (this.listening || !socket?.destroyed) && take(), Math.random() * mostMs);
  return true;
};
