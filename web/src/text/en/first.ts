import { devices } from './devices.ts';
import { map } from './map.ts';
import { shell } from './shell.ts';

/** The texts that the home page needs at first. The others load with what shows them (ui/lazy.tsx). */
export const first = { devices, map, shell };
