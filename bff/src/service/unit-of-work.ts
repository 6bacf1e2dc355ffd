import type { Report } from '../http/problem.ts';
import type { InvitationRole, MemberRole, ResourceCreate, SwarmCreate } from '../contract.ts';
import { noQuotas } from '../limits/quotas.ts';
import type { Database } from '../store/database.ts';
import type { Statement, WriteResult } from '../store/statement.ts';
import type { Batches } from './background-batches.ts';
import { createInvitations } from './invitations.store.ts';
import { createMembers } from './members.store.ts';
import { createResources, newResource } from './resources.store.ts';
import { createSwarms } from './swarms.store.ts';

export type UnitOfWork = ReturnType<typeof createUnitOfWork>;

/**
 * Many changes as one write: all of them are committed, or none. They go through the stores, each with its own time.
 * Permissions are not checked. A change sees the changes before it.
 */
export function createUnitOfWork(options: {
  db: Database;
  batches: Batches;
  report: Report;
  baseUrl: string;
  newId: () => string;
  now: () => Date;
}) {
  const { db, batches, report, baseUrl, newId } = options;
  let time = options.now();
  const waiting: { statements: Statement[]; resolve: (result: WriteResult) => void }[] = [];
  const acts: Promise<unknown>[] = [];
  const collecting: Database = {
    ...db,
    write: (statements) => new Promise((resolve) => waiting.push({ statements, resolve })),
  };
  // The demo, of which a user has one at most, is not limited.
  const stores = { db: collecting, quotas: noQuotas, baseUrl, now: () => time };
  const resources = createResources(stores);
  const members = createMembers(stores);
  const swarms = createSwarms({ ...stores, batches, report, members });
  const invitations = createInvitations(stores);
  const claim = () => [];

  return {
    /** Sets the time of the following changes. */
    at(moment: Date) {
      time = moment;
    },
    createResource({ userId, body }: { userId: string; body: ResourceCreate }): string {
      const resource = newResource({ id: newId(), userId, at: time, body });
      acts.push(resources.create({ userId, resource, claim }));
      return resource.id;
    },
    /** Changes nothing but the time of the last change. */
    touchResource({ id, userId }: { id: string; userId: string }) {
      acts.push(resources.update({ id, userId, change: {}, version: undefined, modifiedAt: undefined }));
    },
    createSwarm({ userId, body }: { userId: string; body: SwarmCreate }): string {
      const id = newId();
      acts.push(swarms.create({ id, userId, body, claim }));
      return id;
    },
    addMember(member: { swarmId: string; resource_id: string; resource_type: MemberRole; userId: string }) {
      acts.push(members.add({ ...member, claim }));
    },
    sendInvitation(invitation: {
      from: string;
      to: string;
      swarmId: string;
      resource_id: string;
      resource_type: InvitationRole;
      description?: string;
    }): string {
      const { from, swarmId, ...body } = invitation;
      const id = newId();
      acts.push(invitations.send({ id, from, swarmId, body, claim }));
      return id;
    },
    answerInvitation(answer: {
      id: string;
      to: string;
      swarm_id: string;
      resource_id: string;
      status: 'accept' | 'reject';
    }) {
      const { status, ...invitation } = answer;
      acts.push(invitations.answer({ invitation, status }));
    },

    /**
     * Commits the changes between other statements. Returns false if an expectation failed; then nothing is written.
     */
    async commit({ before, after }: { before: Statement[]; after: Statement[] }): Promise<boolean> {
      const all = [...before, ...waiting.flatMap(({ statements }) => statements), ...after];
      const written = await db.write(all);
      let from = before.length;
      for (const { statements, resolve } of waiting) {
        const to = from + statements.length;
        resolve(written.ok ? { ok: true, rows: written.rows.slice(from, to) } : { ok: false, failed: 0 });
        from = to;
      }
      await Promise.all(acts);
      return written.ok;
    },
  };
}
