/** What runs in the wall's page before the page itself. It keeps numbers only: what it counted must not grow. */
export interface WallWatch {
  /** Of frames since they were taken. */
  frames: { count: number; over50: number; longest: number };
  /** Of tasks that held the main thread for 50 ms and more, since they were taken. */
  tasks: { count: number; longest: number };
  /** How often the symbols were seen to be elsewhere. */
  pictures: number;
  /** Answers of the server with symbols. */
  answers: number;
  /** The next frame is not counted: something of ours was in its way. */
  skipFrame(): void;
}

declare global {
  var wallWatch: WallWatch;
}

/** To be evaluated in the page: what there was since it was evaluated before. */
export const takeWatched = `(() => {
  const { frames, tasks } = wallWatch;
  wallWatch.frames = { count: 0, over50: 0, longest: 0 };
  wallWatch.tasks = { count: 0, longest: 0 };
  wallWatch.skipFrame();
  return { frames, tasks };
})()`;

/** Stands alone. */
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

  // the symbols are stamps on one canvas: a sum over where they are tells one picture from another
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
