import { createPlural } from '../language.ts';

export const plural = createPlural('en');

export const deviceCount = (count: number) => plural(count, { one: '# device', other: '# devices' });
export const swarmCount = (count: number) => plural(count, { one: '# swarm', other: '# swarms' });
export const memberCount = (count: number) => plural(count, { one: '# member', other: '# members' });
export const invitationCount = (count: number) => plural(count, { one: '# invitation', other: '# invitations' });
export const rowCount = (count: number) => plural(count, { one: '# row', other: '# rows' });
export const userCount = (count: number) => plural(count, { one: '# user', other: '# users' });
