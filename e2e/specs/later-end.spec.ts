import { expectAccessible } from '../accessibility.ts';
import { expect, test } from '../fixtures.ts';
import { BulkPart } from '../pages/bulk.part.ts';
import { MembersPart } from '../pages/members.part.ts';

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const dayOf = (time: string) =>
  new Date(time).toLocaleDateString('en-GB', { timeZone: 'Europe/Berlin', month: 'short', day: 'numeric' });

test(
  'the owner of a swarm offers a later end, which changes nothing until the owner of the device agrees',
  { tag: ['@long', '@once'] },
  async ({ page, server, user, enter, swarm: swarmPage, step }) => {
    const swarm = await user.createSwarm({ name: 'Regatta', description: '' });
    const other = await enter();
    const { inbox } = other;
    const boat = await other.add({ name: 'Boat 7', machine_type: 'smartphone' });
    const asked = { to: other.name, resource_id: boat.id, resource_type: 'producer' as const, ends_at: inHours(2) };
    await user.invite(swarm, asked);

    await other.step('the owner of the device accepts for less than what is offered', async () => {
      await inbox.goto();
      await inbox.select('Boat 7');
      await expect(inbox.pane).toContainText('You are offered a membership until');
      await inbox.acceptUntil('1 hour');
      await expect(inbox.row('Boat 7')).toContainText('Accepting…');
      await other.runPending();
      await expect(inbox.ended('Boat 7')).toContainText('Accepted');
      const answer = await page.request.get(`${server.origin}/api/swarms/${swarm.id}/resources`);
      const [member] = (await answer.json()) as { ends_at: string }[];
      expect(Date.parse(member!.ends_at)).toBeLessThan(Date.parse(asked.ends_at) - 3_000_000);
    });
    await step('one member is offered a week', async () => {
      await swarmPage.open(swarm.id);
      await swarmPage.openMenu('Boat 7');
      await swarmPage.offerEnd('7 days');
      await expect(swarmPage.member('Boat 7')).toContainText('until');
    });
    await other.step('the inbox says until when, and of which end that is instead', async () => {
      await inbox.goto();
      await expect(inbox.row('Boat 7')).toContainText(`Later end offered by ${user.name} for Boat 7`);
      await expect(inbox.row('Boat 7')).toContainText(/Regatta.*until /);
      await inbox.select('Boat 7');
      await expect(inbox.consent).toHaveText(
        /^Boat 7 is in Regatta until .*\. If you accept, it stays until .*\. Nothing else/,
      );
      await expectAccessible({ page: other.page, title: 'a later end that is offered' });
    });
    await other.step('one tap on the page of the device agrees', async () => {
      await other.device.open(boat.id);
      await expect(inbox.onDevice('Regatta')).toContainText(`${user.name} offers a later end in Regatta`);
      await inbox.answerOnDevice('Regatta', 'Accept').click();
      await other.runPending();
      await expect(inbox.onDevice('Regatta')).toBeHidden();
    });
    await step('all selected members that end before are offered a later end', async () => {
      const [members, bulk] = [new MembersPart(page), new BulkPart(page)];
      // the dialog counts what the page knows when it opens
      await expect(swarmPage.member('Boat 7')).toContainText(dayOf(inHours(24 * 7)));
      await members.select('Boat 7');
      await bulk.start('Offer a later end…');
      await expect(bulk.dialog('Offer a later end for 1 device')).toContainText('1 will be skipped');
      await bulk.chooseLastDay(inHours(24 * 20).slice(0, 10));
      await bulk.confirm('Send 1 offer');
      await expect(bulk.toast('Later end offered for Boat 7')).toBeVisible();
    });
  },
);
