/**
 * The bytes of responses that this process holds because their clients have not read them, by user and by client address. Beyond
 * a limit, a response is refused, or waits if it is made in chunks. Event streams are not among them: each has its own limit.
 */
import { ServerResponse, type IncomingMessage } from 'node:http';
import { Counts } from '../limits/bounded-map.ts';
import { unsentLimits } from '../limits/operation-limits.ts';
import { Problem } from '../problem.ts';

/** Whose response it is. `user`: undefined before the user is known. */
interface Holder {
  user: string | undefined;
  address: string;
}

interface QueuedChunk extends Holder {
  bytes: number;
  admit: () => void;
}

export type UnsentLimits = Readonly<Record<keyof typeof unsentLimits, number>>;
export type UnsentBytes = ReturnType<typeof createUnsentBytes>;

export function createUnsentBytes(most: UnsentLimits = unsentLimits) {
  const few = Math.min(most.user, most.address);
  const unread = createAmounts();
  /** For chunks that are being made. They delay other chunks, and refuse nothing. */
  const reserved = createAmounts();
  /** In the order of their arrival. */
  const queue = new Set<QueuedChunk>();
  let isAdmitting = false;

  /** A user who holds nothing may have one response of any length, unless others at the address hold too much. */
  function isWithin({ byUser, atAddress }: ReturnType<Amounts['of']>, more: number): boolean {
    const isFull = atAddress > 0 && atAddress + more > most.address;
    if (byUser === undefined) return !isFull;
    if (isFull) return byUser + more <= most.share;
    return byUser === 0 || byUser + more <= most.user;
  }

  const hasRoom = (holder: Holder, more: number) => isWithin(unread.of(holder), more);

  function mayMake(holder: Holder, bytes: number): boolean {
    const [read, made] = [unread.of(holder), reserved.of(holder)];
    const byUser = read.byUser === undefined ? undefined : read.byUser + made.byUser!;
    return isWithin({ byUser, atAddress: read.atAddress + made.atAddress }, bytes);
  }

  function admitSoon() {
    if (queue.size === 0 || isAdmitting) return;
    isAdmitting = true;
    setImmediate(admit);
  }

  /** The first of each user first. */
  function admit() {
    isAdmitting = false;
    const blocked = new Set<string | undefined>();
    for (const queued of queue) {
      if (blocked.has(queued.user)) continue;
      if (!mayMake(queued, queued.bytes)) {
        blocked.add(queued.user);
        continue;
      }
      queue.delete(queued);
      queued.admit();
    }
  }

  return {
    most,
    /** Whether all responses together are below each limit, so that nobody's need to be looked up. */
    areFew: (more: number) => unread.total() + more <= few,
    hasRoom,
    mayMake,
    change(holder: Holder, bytes: number): void {
      unread.change(holder, bytes);
      if (bytes < 0) admitSoon();
    },
    reserve(holder: Holder, bytes: number): void {
      reserved.change(holder, bytes);
      if (bytes < 0) admitSoon();
    },
    /** Calls `admit` when the holder may make a chunk of so many bytes. Returns a function that takes it out of the queue. */
    enqueue(holder: Holder, bytes: number, admit: () => void): () => void {
      const queued = { ...holder, bytes, admit };
      queue.add(queued);
      return () => void queue.delete(queued);
    },
    /** In bytes. */
    measure: unread.total,
  };
}

type Amounts = ReturnType<typeof createAmounts>;

function createAmounts() {
  const users = new Counts();
  const addresses = new Counts();
  let total = 0;
  return {
    of: ({ user, address }: Holder) => ({
      byUser: user === undefined ? undefined : users.of(user),
      atAddress: addresses.of(address),
    }),
    change({ user, address }: Holder, more: number): void {
      total += more;
      addresses.change(address, more);
      if (user !== undefined) users.change(user, more);
    },
    total: () => total,
  };
}

export function tooMuchUnread(): Problem {
  const detail = 'Too many bytes of responses have not been read. Read them to their ends, or close their connections';
  return new Problem('rate.exceeded', { detail, headers: { 'retry-after': '5' } });
}

/** A response whose bytes count until its client has read them. */
export class CountedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  unsent: UnsentBytes | undefined;
  user: string | undefined;
  clientAddress: (() => string) | undefined;
  /** Set before its header is written. */
  isEventStream = false;
  #holder: Holder | undefined;
  /** For a chunk that is being made. */
  #reserved = 0;
  /** The bytes of chunks that were made and not read. */
  #unread = 0;

  /** Whether its client may be sent more. */
  hasRoom(more = 1): boolean {
    const { unsent } = this;
    return !unsent || unsent.areFew(more) || unsent.hasRoom(this.#holder ?? this.#newHolder(), more);
  }

  /**
   * Makes a chunk of this response when its client has room for it. Not many chunks of a user are made at the same time.
   * @throws `request.aborted` if the client has gone
   */
  async makeChunk<Chunk extends { length: number }>(make: () => Promise<Chunk>): Promise<Chunk> {
    const { unsent } = this;
    if (this.destroyed) throw new Problem('request.aborted');
    if (!unsent) return make();
    const holder = this.#begin();
    if (!unsent.mayMake(holder, unsent.most.part)) await this.#wait(unsent, holder);
    this.#reserve(unsent.most.part);
    try {
      const chunk = await make();
      this.#count(this.#unread + chunk.length);
      return chunk;
    } finally {
      this.#reserve(0);
    }
  }

  #wait(unsent: UnsentBytes, holder: Holder): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const abort = () => {
        leaveQueue();
        reject(new Problem('request.aborted'));
      };
      const leaveQueue = unsent.enqueue(holder, unsent.most.part, () => {
        this.off('close', abort);
        // At once, so that the next one of the user sees it.
        this.#reserve(unsent.most.part);
        resolve();
      });
      this.once('close', abort);
    });
  }

  override write(chunk: unknown, encoding?: unknown, done?: unknown): boolean {
    const isDrained = super.write(chunk, encoding as BufferEncoding, done as () => void);
    if (!this.isEventStream) this.#countUnread();
    return isDrained;
  }

  override end(chunk?: unknown, encoding?: unknown, done?: unknown): this {
    super.end(chunk, encoding as BufferEncoding, done as () => void);
    if (!this.isEventStream) this.#countUnread();
    return this;
  }

  /** Counts the bytes of a body that is sent later. */
  protected hold(bytes: number) {
    this.#count(this.#unread + bytes);
  }

  #countUnread() {
    // Most responses are in the buffers of the operating system at once.
    const length = this.writableLength;
    if (length > 0 || this.#unread > 0) this.#count(length);
  }

  #count(unread: number) {
    if (!this.unsent || this.destroyed || unread === this.#unread) return;
    this.unsent.change(this.#begin(), unread - this.#unread);
    this.#unread = unread;
  }

  #reserve(bytes: number) {
    if (this.destroyed || bytes === this.#reserved) return;
    this.unsent!.reserve(this.#begin(), bytes - this.#reserved);
    this.#reserved = bytes;
  }

  /** From now on, the holder is the same, and what counts is given back at the end. */
  #begin(): Holder {
    if (this.#holder) return this.#holder;
    const holder = this.#newHolder();
    this.#holder = holder;
    this.on('drain', () => this.#countUnread());
    this.once('close', () => {
      this.unsent!.change(holder, -this.#unread);
      this.unsent!.reserve(holder, -this.#reserved);
      this.#unread = this.#reserved = 0;
    });
    return holder;
  }

  #newHolder(): Holder {
    return { user: this.user, address: this.clientAddress?.() ?? this.req.socket.remoteAddress ?? 'unknown' };
  }
}
