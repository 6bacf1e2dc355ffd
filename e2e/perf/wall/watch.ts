/** Runs in the wall's page before its own scripts. It stores only numbers, so that its memory does not grow. */
export interface WallWatch {
  /** The frames since the previous evaluation of `takeWatched`. */
  frames: { count: number; over50: number; longest: number };
  /** The tasks of 50 ms or more since the previous evaluation of `takeWatched`. */
  tasks: { count: number; longest: number };
  /** How often the positions of the symbols have changed. */
  pictures: number;
  /** Responses of the server with symbols. */
  answers: number;
  /** Does not count the next frame: the measurement delayed it. */
  skipFrame(): void;
}

declare global {
  var wallWatch: WallWatch;
}

/** Evaluated in the page: the values since the previous evaluation. */
export const takeWatched = `(() => {
  const { frames, tasks } = wallWatch;
  wallWatch.frames = { count: 0, over50: 0, longest: 0 };
  wallWatch.tasks = { count: 0, longest: 0 };
  wallWatch.skipFrame();
  return { frames, tasks };
})()`;

/** Runs in the page, so it must not use outer variables. */
export function watchWall(): void {
  const watch: WallWatch = {
    frames: { count: 0, over50: 0, longest: 0 },
    tasks: { count: 0, longest: 0 },
    pictures: 0,
    answers: 0,
    skipFrame: () => (last = 0),
  };
  let last = 0;
  globalThis.wallWatch = watch;

  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      watch.tasks.count += 1;
      watch.tasks.longest = Math.max(watch.tasks.longest, duration);
    }
  }).observe({ type: 'longtask' });

  requestAnimationFrame(function frame(now) {
    if (last > 0) {
      const took = now - last;
      watch.frames.count += 1;
      if (took > 50) watch.frames.over50 += 1;
      watch.frames.longest = Math.max(watch.frames.longest, took);
    }
    last = now;
    requestAnimationFrame(frame);
  });

  const { fetch } = globalThis;
  globalThis.fetch = async (...asked) => {
    const answer = await fetch(...asked);
    const of = asked[0] instanceof Request ? asked[0].url : String(asked[0]);
    if (answer.ok && of.includes('/api/map?')) watch.answers += 1;
    return answer;
  };

  // symbols are sprites on one canvas: a checksum of their positions detects a new picture
  const { drawImage, clearRect } = CanvasRenderingContext2D.prototype;
  let sum = 0;
  let shown = 0;
  const isOfSymbols = ({ canvas }: CanvasRenderingContext2D) =>
    canvas instanceof HTMLCanvasElement && canvas.classList.contains('map-symbols');
  CanvasRenderingContext2D.prototype.clearRect = function clear(...box) {
    if (isOfSymbols(this)) {
      if (sum !== 0 && sum !== shown) {
        shown = sum;
        watch.pictures += 1;
      }
      sum = 0;
    }
    clearRect.apply(this, box);
  };
  CanvasRenderingContext2D.prototype.drawImage = function draw(this: CanvasRenderingContext2D, ...args: unknown[]) {
    if (isOfSymbols(this)) sum = sum * 1.0001 + Number(args[1]) + Number(args[2]) * 7;
    Reflect.apply(drawImage, this, args);
  };
}
