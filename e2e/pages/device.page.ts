import { DeviceFormPart } from './device-form.part.ts';
import { MapPart } from './map.part.ts';
import { checkHiddenInput } from './check-hidden-input.ts';

/** The page of a device: its fields, its small map, its swarms, and its deletion. */
export class DevicePage extends MapPart {
  readonly form = new DeviceFormPart(this.page);

  get heading() {
    return this.page.getByRole('heading', { level: 1 });
  }

  /** Chooses a point of the track. */
  get track() {
    return this.page.getByRole('slider', { name: 'Track' });
  }

  /** What it has reported with its position. */
  get facts() {
    return this.page.getByRole('paragraph').filter({ hasText: '±' });
  }

  get encryptionNote() {
    return this.page.getByText(/Refused .*: encryption is on in the app/);
  }

  /** What the device was refused, and why. */
  refused(reason: string) {
    return this.page.getByText(new RegExp(`^Refused (once|\\d+ times), .*: ${reason}`));
  }

  get wrongKeys() {
    return this.page.getByText(/^(A wrong key was|Wrong keys were) used for this device/);
  }

  get trackDownload() {
    return this.page.getByRole('button', { name: 'Download GeoJSON' });
  }

  /** Opens the QR code on a phone. */
  get showCode() {
    return this.page.getByRole('button', { name: 'Show QR code' });
  }

  /** Opens the QR code elsewhere. */
  get enlargeCode() {
    return this.page.getByRole('button', { name: 'Enlarge QR code' });
  }

  /** The QR code in full screen size. */
  codeOf(name: string) {
    return this.page.getByRole('dialog', { name: `Invite code for ${name}` });
  }

  get deletedElsewhere() {
    return this.page.getByText(/^This device was deleted/);
  }

  takenOverBy(user: string) {
    return this.page.getByText(`${user} took over this device`);
  }

  /** What was typed, and can't be saved. */
  get unsent() {
    return this.page.getByRole('main').getByText('These changes can’t be saved:').locator('..').locator('dl');
  }

  async createAgain() {
    await this.page.getByRole('button', { name: 'Create it again' }).click();
  }

  get notFound() {
    return this.page.getByText('It may have been deleted, or you don’t have access.');
  }

  get beingDestroyed() {
    return this.page.getByText('Deleting this device…');
  }

  async takeBack() {
    await this.beingDestroyed.getByRole('button', { name: 'Undo' }).click();
  }

  /** The hint after one finger was moved over the map. */
  get twoFingers() {
    return this.page.getByText('Use two fingers to move the map.');
  }

  get saveButton() {
    return this.page.getByRole('button', { name: 'Save', exact: true });
  }

  /** "2 fields changed". */
  get changedFields() {
    return this.page.getByText(/^\d+ fields? changed$/);
  }

  get alsoElsewhere() {
    return this.page.getByText('Also changed elsewhere');
  }

  get body() {
    return this.page.locator('body');
  }

  /** The vertical position of the box below the form, in px. */
  placeOfSwarms() {
    return this.page.getByRole('heading', { name: /^Swarms/ }).boundingBox();
  }

  get conflict() {
    return this.page.getByRole('dialog', { name: /in two places$/ });
  }

  get destroyDialog() {
    return this.page
      .getByRole('alertdialog', { name: /^Delete/ })
      .or(this.page.getByRole('dialog', { name: /^Delete/ }));
  }

  get leaveDialog() {
    return this.page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .or(this.page.getByRole('alertdialog', { name: 'Leave without saving?' }));
  }

  async open(id: string) {
    await this.page.goto(`/devices/${id}`);
  }

  async save() {
    await this.saveButton.click();
  }

  get discardButton() {
    return this.page.getByRole('button', { name: 'Discard', exact: true });
  }

  get discardQuestion() {
    return this.page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  }

  /** Presses Discard, and changes one's mind. */
  async keepEditing() {
    await this.discardButton.click();
    await this.discardQuestion.getByRole('button', { name: 'Keep editing' }).click();
  }

  async discardChanges() {
    await this.discardButton.click();
    await this.discard();
  }

  /** Answers the question. */
  async discard() {
    await this.discardQuestion.getByRole('button', { name: 'Discard' }).click();
  }

  async back() {
    await this.page.getByRole('link', { name: 'Back to devices' }).click();
  }

  async stay() {
    await this.leaveDialog.getByRole('button', { name: 'Stay here' }).click();
  }

  /** The question before a save deletes what was recorded. */
  get deleteRecords() {
    return this.page.getByRole('alertdialog', { name: 'Delete what was recorded?' });
  }

  async saveAndDelete() {
    await this.deleteRecords.getByRole('button', { name: 'Save and delete' }).click();
  }

  async saveAndLeave() {
    await this.leaveDialog.getByRole('button', { name: 'Save and leave' }).click();
  }

  async leave() {
    await this.leaveDialog.getByRole('button', { name: 'Leave without saving' }).click();
  }

  choice(field: 'Name' | 'Machine type' | 'Description' | 'Position', side: 'My value' | 'Saved value') {
    return this.conflict.getByRole('group', { name: field }).getByRole('radio', { name: new RegExp(`^${side}`) });
  }

  async choose(field: 'Name' | 'Machine type' | 'Description' | 'Position', side: 'My value' | 'Saved value') {
    await checkHiddenInput(this.choice(field, side));
  }

  async saveChoices() {
    await this.conflict.getByRole('button', { name: 'Save these choices' }).click();
  }

  async backToEditing() {
    await this.conflict.getByRole('button', { name: /^Back/ }).click();
  }

  /** The rows of the device's swarms. */
  swarm(name: string) {
    const box = this.page.locator('section').filter({ has: this.page.getByRole('heading', { name: /^Swarms/ }) });
    return box.getByRole('listitem').filter({ hasText: name });
  }

  async limitRole(swarm: string, role: 'sends' | 'receives') {
    await this.page.getByRole('button', { name: `Role in ${swarm}` }).click();
    await this.page.getByRole('menuitem', { name: `Change role: only ${role}` }).click();
    await this.page.mouse.move(0, 0);
  }

  async leaveSwarm(name: string) {
    await this.page.getByRole('button', { name: `Leave ${name}` }).click();
  }

  get leaveSwarmDialog() {
    return this.page.getByRole('alertdialog', { name: /^Leave / });
  }

  async confirmLeaving() {
    await this.leaveSwarmDialog.getByRole('button', { name: 'Leave' }).click();
  }

  async startDestroying() {
    // boxes that are still loading move the button
    await this.page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await this.page.getByRole('button', { name: 'Delete device…' }).click();
  }

  async destroy() {
    await this.startDestroying();
    await this.destroyDialog.getByRole('button', { name: 'Delete', exact: true }).click();
  }

  async startPlacing() {
    await this.page.getByRole('button', { name: /^Place( on map)?$/ }).click();
  }

  async nudgeMarker(key: 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight') {
    await this.marker.focus();
    await this.page.keyboard.press(key);
  }
}
