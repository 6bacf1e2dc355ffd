import { devices } from './en.devices.ts';
import { map } from './en.map.ts';
import { shell } from './en.shell.ts';

/** What the first screen needs. Sections of rarely seen pages (`en.account.ts`) load with their page. */
export const en = { shell, devices, map };

export type Dictionary = typeof en;
