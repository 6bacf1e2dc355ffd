import { MapPart } from './map.part.ts';
import { isFirstShown } from './is-first-shown.ts';
import { checkHiddenInput } from './check-hidden-input.ts';

/** The page of a swarm: members beside their map, the board, the settings, and its deletion. */
export class SwarmPage extends MapPart {
  get heading() {
    return this.page.getByRole('heading', { level: 1 });
  }

  get members() {
    return this.page.getByRole('table', { name: 'Members' });
  }

  /** The centre of the part of the map that a phone's sheet does not cover. */
  override async middleOfMap() {
    const [map, list] = [
      await this.map.boundingBox(),
      await this.page.getByRole('region', { name: 'Members' }).boundingBox(),
    ];
    if (!map || !list) throw new Error('map or members are not there');
    const bottom = list.width === map.width ? list.y - map.y : map.height;
    return { x: map.width / 2, y: bottom / 2 };
  }

  get memberRows() {
    return this.members.getByRole('rowgroup').getByRole('row');
  }

  async sortMembersBy(order: 'Name' | 'Owner' | 'Last change' | 'Last joined' | 'Highest value') {
    await this.page.getByRole('button', { name: /^Sort by/ }).click();
    await this.page.getByRole('menuitemradio', { name: order }).click();
  }

  get board() {
    return this.page.getByRole('table', { name: 'Sent invitations' });
  }

  get addDialog() {
    return this.page.getByRole('dialog', { name: 'Add your devices' });
  }

  /** The last field of the dialog. */
  get addShownByLinks() {
    return this.addDialog.getByRole('checkbox').last();
  }

  get destroyDialog() {
    return this.page.getByRole('alertdialog', { name: /^Delete/ });
  }

  get searchField() {
    return this.page.getByRole('searchbox', { name: 'Search members' });
  }

  /** The members on paper. */
  get printed() {
    return this.page.locator('.printed-members tbody tr');
  }

  get main() {
    return this.page.getByRole('main');
  }

  get notFound() {
    return this.page.getByText('It may have been deleted, or you don’t have access.');
  }

  async open(id: string, query = '') {
    await this.page.goto(`/swarms/${id}${query}`);
  }

  tab(name: 'Members' | 'Messages' | 'Who sees this' | 'Invitations' | 'Links' | 'Settings') {
    return this.page.getByRole('navigation', { name: 'Sections of the swarm' }).getByRole('link', { name });
  }

  async show(name: 'Members' | 'Messages' | 'Who sees this' | 'Invitations' | 'Links' | 'Settings') {
    await this.tab(name).click();
  }

  member(name: string) {
    return this.memberRows.filter({ hasText: name });
  }

  germanMember(name: string) {
    return this.page.getByRole('table', { name: 'Mitglieder' }).getByRole('row').filter({ hasText: name });
  }

  memberCell(name: string, text: string) {
    return this.member(name).getByRole('cell', { name: text, exact: true });
  }

  /** While an action on the member can be undone. */
  undoOfMember(name: string) {
    return this.member(name).getByRole('button', { name: 'Undo' });
  }

  async undoMember(name: string) {
    await this.undoOfMember(name).click();
    await this.page.mouse.move(0, 0);
  }

  memberColumn(name: string) {
    return this.members.getByRole('columnheader', { name });
  }

  chip(name: RegExp) {
    return this.page
      .getByRole('button', { name, pressed: false })
      .or(this.page.getByRole('button', { name, pressed: true }));
  }

  /** Presses chips within one task. */
  async pressTogether(...names: RegExp[]) {
    const chips = await Promise.all(names.map((name) => this.chip(name).elementHandle()));
    await this.page.evaluate((buttons) => {
      for (const button of buttons) (button as HTMLElement | null)?.click();
    }, chips);
  }

  memberButton(name: string) {
    return this.member(name).getByRole('button').first();
  }

  choiceToAdd(name: string) {
    return this.addDialog.getByRole('checkbox', { name });
  }

  async select(name: string) {
    await this.memberButton(name).click();
  }

  async openMenu(name: string) {
    await this.page.getByRole('button', { name: `Actions for ${name}` }).click();
  }

  /** Sets the end of a membership, with its menu open. `item`: of the menu. */
  async setEnd(item: string, until: string) {
    await this.page.getByRole('menuitem', { name: item }).click();
    const dialog = this.page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Until' }).selectOption(until);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  /** Offers the owner of a member a later end, with its menu open. */
  async offerEnd(until: string) {
    await this.page.getByRole('menuitem', { name: 'Offer a later end…' }).click();
    const dialog = this.page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Until' }).selectOption(until);
    await dialog.getByRole('button', { name: 'Send offer' }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  async closeMenu() {
    await this.page.keyboard.press('Escape');
    await this.menuItems.first().waitFor({ state: 'hidden' });
  }

  get menuItems() {
    return this.page.getByRole('menuitem');
  }

  async clearFilters() {
    await this.page.getByRole('button', { name: 'Clear search and filters' }).click();
  }

  async choose(act: string | RegExp) {
    await this.page.getByRole('menuitem', { name: act }).click();
    // a pointer over a pending action would pause its countdown
    await this.page.mouse.move(0, 0);
  }

  async startInviting() {
    await this.page.getByRole('link', { name: 'Invite', exact: true }).first().click();
  }

  async startAdding() {
    await this.page.getByRole('button', { name: 'Add your devices' }).first().click();
  }

  async selectAll(selected = true) {
    await this.addDialog.getByRole('checkbox', { name: /^Select all \d+/ }).setChecked(selected);
  }

  async searchToAdd(q: string) {
    await this.addDialog.getByRole('searchbox').fill(q);
    await this.addDialog.getByRole('checkbox', { name: /^Select all \d+ matching/ }).waitFor();
  }

  get addChosenButton() {
    return this.addDialog.getByRole('button', { name: /^Add (\d+ )?devices?$/ });
  }

  async addDevices({ role, names }: { role: 'sends' | 'receives' | 'both'; names: string[] }) {
    await checkHiddenInput(this.addDialog.getByRole('radio', { name: role }));
    for (const name of names) await this.addDialog.getByRole('checkbox', { name }).check();
    await this.addDialog.getByRole('button', { name: /^Add \d/ }).click();
  }

  get invitations() {
    return this.board.getByRole('rowgroup').getByRole('row');
  }

  invitation(to: string) {
    return this.invitations.filter({ hasText: to });
  }

  async sendAgain(to: string, at = 0) {
    await this.page
      .getByRole('button', { name: `Resend to ${to}` })
      .nth(at)
      .click();
  }

  async inviteAgain(to: string) {
    await this.page.getByRole('link', { name: `Invite again: ${to}` }).click();
  }

  /** A button on a desktop, in a menu on a phone. */
  async withdraw(to: string, at = 0) {
    const more = this.page.getByRole('button', { name: `Actions for the invitation to ${to}` }).nth(at);
    const button = this.page.getByRole('button', { name: `Withdraw the invitation to ${to}` }).nth(at);
    if (await isFirstShown(button, more)) return button.click();
    await more.click();
    return this.page.getByRole('menuitem', { name: `Withdraw the invitation to ${to}` }).click();
  }

  get nameField() {
    return this.page.getByRole('textbox', { name: 'Name', exact: true });
  }

  get descriptionField() {
    return this.page.getByRole('textbox', { name: /^Description/ });
  }

  setting(name: RegExp) {
    return this.page.getByRole('switch', { name });
  }

  get takeTheirs() {
    return this.page.getByRole('button', { name: 'Use saved value' });
  }

  async save() {
    await this.page.getByRole('button', { name: 'Save', exact: true }).click();
  }

  async startDestroying() {
    await this.page.getByRole('button', { name: 'Delete swarm…' }).click();
  }

  async confirmDestroying() {
    await this.destroyDialog.getByRole('button', { name: 'Delete', exact: true }).click();
  }
}
