import type { Device } from '@swarmdeck/bff/contract';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { HomeFoot } from './home-foot.tsx';
import { nextStepsPreference } from './next-steps.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));
afterEach(() => nextStepsPreference.set('no'));

const nothing = () => undefined;

async function mountFoot(foot: {
  roomy: boolean;
  hasSwarm?: boolean;
  presence?: 'never' | 'online' | 'offline';
  account?: object;
  onMore?(): void;
}) {
  const answers: Record<string, object> = {
    '/api/account': foot.account ?? {},
    '/api/demo': { exists: true, resources: [], swarms: [] },
  };
  vi.stubGlobal('fetch', async (path: string) => Response.json(answers[path] ?? {}));
  const { roomy, hasSwarm = false, presence: state = 'never', onMore = nothing } = foot;
  const device = { id: 'b', name: 'Buoy', presence: { state } } as Device;
  const shown = { count: 3, roomy, hasSwarm, onMore, onAdd: nothing, onDemo: nothing };
  return mountPart(<HomeFoot {...shown} device={device} copyCode={null} />);
}

test('in half of a phone one line is below the list, and its button makes room for the steps', async () => {
  nextStepsPreference.set('yes');
  const onMore = vi.fn<() => void>();
  const account = { unstored_codes: true };
  const { container, press, unmount } = await mountFoot({ roomy: false, account, onMore });
  await waitFor(() => expect(container.textContent).toContain(t.start.steps.swarm.title));
  expect(container.querySelectorAll('.page-strip')).toHaveLength(1);
  await press(t.start.next.title);
  expect(onMore).toHaveBeenCalledOnce();
  await unmount();
});

test('without the steps, codes that are not stored come before the demo there', async () => {
  const { container, unmount } = await mountFoot({ roomy: false, account: { unstored_codes: true } });
  await waitFor(() => expect(container.textContent).toContain(t.account.recovery.unstored));
  expect(container.querySelectorAll('.page-strip')).toHaveLength(1);
  await unmount();
});

test('the step that joins or creates a swarm names its device, and ends with the first swarm', async () => {
  nextStepsPreference.set('yes');
  const { swarm, connect } = t.start.steps;
  const before = await mountFoot({ roomy: true });
  expect(before.container.textContent).toContain(swarm.text_of.replace('{name}', 'Buoy'));
  await before.unmount();
  const after = await mountFoot({ roomy: true, hasSwarm: true });
  expect(after.container.textContent).not.toContain(swarm.title);
  expect(after.container.querySelector('.step-now')!.textContent).toContain(connect.title_of.replace('{name}', 'Buoy'));
  await after.unmount();
});

test.each(['online', 'offline'] as const)(
  'the step that connects a device ends with its first message: %s',
  async (presence) => {
    nextStepsPreference.set('yes');
    const { connect, receive } = t.start.steps;
    const { container, unmount } = await mountFoot({ roomy: true, hasSwarm: true, presence });
    expect(container.textContent).not.toContain(connect.title_of.replace('{name}', 'Buoy'));
    expect(container.querySelector('.step-now')!.textContent).toContain(receive.title);
    await unmount();
    const line = await mountFoot({ roomy: false, hasSwarm: true, presence });
    expect(line.container.textContent).toContain(receive.title);
    await line.unmount();
  },
);
