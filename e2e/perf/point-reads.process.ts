/**
 * Reads a device again and again, beside the load of another process. Sends a message when it is warm, and the milliseconds
 * of each read since then when it gets one.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const [url, key] = process.argv.slice(2) as [string, string];
const warmUp = 100;
let times: number[] = [];
let running = true;
process.once('message', () => (running = false));
for (let reads = 0; running; reads++) {
  const from = performance.now();
  const answer = await fetch(url, { headers: { 'x-serviceapikey': key } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  times.push(performance.now() - from);
  if (reads === warmUp) {
    times = [];
    process.send!('warm');
  }
  await sleep(5);
}
process.send!(times, () => process.disconnect());
