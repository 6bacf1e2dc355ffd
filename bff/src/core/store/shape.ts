/**
 * What a read returns instead of its rows. It is made where they are read, in the reader thread, so that long texts are not made on
 * the main thread, which serves everybody.
 */
export interface Shape<Options = unknown> {
  /** The URL of the module that exports what `defineShape` returned, and its name there: a function cannot be sent to a thread. */
  module: string;
  name: string;
  options: Options;
}

/** What each result of a shape may have. Other results are rows, or small. */
export interface ShapeResult {
  /** They are moved from the thread, and not copied: their buffer must be their own. */
  bytes?: Uint8Array;
  /** In bytes: how long the text is that was made, if it is not `bytes` as they are. Users are charged for it (limits/long-reads.ts). */
  made?: number;
}

type Make = (rows: readonly unknown[], options: never) => unknown[];
type ShapeOf<Options> = ((options: Options) => Shape<Options>) & { make: Make };

/**
 * `module`: its own file, which exports the shape by `name`. It is called `*.shape.ts`, because a release keeps these files apart
 * (`.tools/release.ts`). `make`: what a read returns (`ShapeResult`).
 */
export function defineShape<Row, Options>(
  module: URL,
  name: string,
  make: (rows: readonly Row[], options: Options) => unknown[],
): ShapeOf<Options> {
  const of = (options: Options): Shape<Options> => ({ module: module.href, name, options });
  return Object.assign(of, { make: make as Make });
}

const known = new Map<string, Make>();

async function find({ module, name }: Shape): Promise<Make> {
  const exported = (await import(module)) as Record<string, { make: Make }>;
  const { make } = exported[name]!;
  known.set(`${module} ${name}`, make);
  return make;
}

/** The results of a read with this shape. */
export async function shaped(rows: readonly unknown[], shape: Shape): Promise<unknown[]> {
  const make = known.get(`${shape.module} ${shape.name}`) ?? (await find(shape));
  return make(rows, shape.options as never);
}

/** The buffers of these results that can be moved to another thread. */
export const buffersOf = (results: readonly unknown[]): ArrayBuffer[] =>
  results.flatMap((result) => {
    const { bytes } = result as ShapeResult;
    return bytes instanceof Uint8Array ? [bytes.buffer as ArrayBuffer] : [];
  });
