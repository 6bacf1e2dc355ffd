/** When the maps that are shown have changed, as the stream says (app/live.ts). */
import { onNewPage } from '../new-page.ts';

/** The time of the last change of each watched map, in ms of the server's clock. */
const moved = new Map<string, number>();
onNewPage(() => moved.clear());

/** Records that a map changed at a time of the server's clock. */
export function noteMove({ audience, at }: { audience: string; at: number }): void {
  moved.set(audience, at);
}

export const lastMove = (audience: string) => moved.get(audience);
