import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { beforeAll, expect, test } from 'vitest';
import { loadTexts } from '../../text/text.ts';
import { Dialog } from '../dialogs/dialog.tsx';
import { mountPart } from '../mounted.fixture.tsx';
import { Link } from '../urls/router.tsx';
import { ShownOnce } from './shown-once.tsx';

beforeAll(() => loadTexts('en'));

const texts = {
  is_stored: 'I have stored it',
  done: 'Done',
  closing_asks: '',
  lost_title: 'Not stored yet?',
  lost_text: '',
  lost_close: 'Close anyway',
  lost_back: 'Back',
};

test('who was asked whether the key is stored, goes back and then says so, is no longer asked', async () => {
  let closed = 0;
  const { container, press, unmount } = await mountPart(
    <ShownOnce title="Key" text="" texts={texts} onClose={() => (closed += 1)}>
      key
    </ShownOnce>,
    new QueryClient(),
  );
  await press('Done');
  expect(container.textContent).toContain('Not stored yet?');
  await press('Back');
  expect(container.textContent).not.toContain('Not stored yet?');
  await act(async () => container.querySelector('input')!.click());
  await press('Done');
  expect(closed).toBe(1);
  await unmount();
});

test('a link in a dialog above the key asks on top of that dialog, and is then followed', async () => {
  const open: Element[] = [];
  const { container, show, press, unmount } = await mountPart(null);
  HTMLDialogElement.prototype.showModal = function showModal() {
    open.push(this);
  };
  await show(
    <ShownOnce title="Key" text="" texts={texts} onClose={() => undefined}>
      <Dialog title="Add to a swarm">
        <Link to="/swarms">Create swarm</Link>
      </Dialog>
    </ShownOnce>,
  );
  expect(open).toHaveLength(2);
  await act(async () => container.querySelector('a')!.click());
  expect(location.pathname).toBe('/');
  expect(open.at(-1)!.textContent).toContain('Not stored yet?');
  expect(open.at(-1)!.textContent).not.toContain('Add to a swarm');
  await press('Close anyway');
  expect(location.pathname).toBe('/swarms');
  await unmount();
});
