import { focusManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { queryKeys } from '../../data/cache/query-keys.ts';
import { discardUnsavedInput, hasUnsavedInput, reported, wouldLoseInput } from '../../ui/fields/unsaved-input.ts';
import { importItems } from './rows/import-items.ts';
import { ImportState, useImport } from './import-state.ts';
import { useImportColumns, useImportReadings } from './use-import-columns.ts';
import { waitFor } from '../../ui/wait-for.fixture.ts';

function useImportFile() {
  const { source, ...rest } = useImport('source');
  const check = { ...useImport('check'), ...useImport('rows') };
  return { ...rest, ...source, ...useImportColumns(), ...useImportReadings(), ...check };
}

const device = { id: 'i1', user_id: 'ann', name: 'one', machine_type: 'pc', created_at: '' };

async function openImport(client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  client.setQueryData(queryKeys.devices.owned, [device]);
  // Each file is compared with the devices as they are.
  vi.stubGlobal('fetch', async () => Response.json(client.getQueryData(queryKeys.devices.owned)));
  let file: ReturnType<typeof useImportFile> | undefined;
  function Harness() {
    const rendered = useImportFile();
    useLayoutEffect(() => {
      file = rendered;
    });
    return null;
  }
  const root = createRoot(document.createElement('div'));
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <ImportState user_id="ann">
          <Harness />
        </ImportState>
      </QueryClientProvider>,
    ),
  );
  return { client, file: () => file!, close: () => act(async () => root.unmount()) };
}

/** Waits until it is rendered: each turn renders what has changed. */

const csv = (text: string) => new Blob([text]);

it('shows the file that was chosen last, although another one takes longer to read', async () => {
  const page = await openImport();
  let finish: (file: Blob) => void = () => undefined;
  const slow = new Promise<Blob>((resolve) => (finish = resolve));
  await act(async () => {
    const first = page.file().choose(slow, { name: 'slow.geojson' });
    await page.file().choose(csv('name,type\nquick,pc'), { name: 'quick.csv' });
    finish(csv('name,type\nslow,pc'));
    await first;
  });
  expect(page.file().chosen?.name).toBe('quick.csv');
  await page.close();
});

it('keeps the error of an id that is in the file twice, if the row is saved unchanged', async () => {
  const page = await openImport();
  const rows = ['i1,uno,pc', 'i1,due,pc'];
  await act(() => page.file().choose(csv(`id,name,type\n${rows.join('\n')}`), { name: 'twice.csv' }));
  await waitFor(() => expect(page.file().check?.invalid).toBe(1));
  const fix = async (id: string) => {
    let left: { code: string }[] = [];
    await act(async () => void (left = page.file().fix(3, [id, 'due', 'pc'])));
    return left.map(({ code }) => code);
  };
  expect(await fix('i1')).toEqual(['twice']);
  expect(page.file().check).toMatchObject({ invalid: 1, changes: [2] });
  expect(await fix('')).toEqual([]);
  expect(page.file().check).toMatchObject({ invalid: 0, fresh: 1, changes: [2] });
  await page.close();
});

it('keeps the corrections when the user returns to the tab, and when the devices are read again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const read = vi.fn<() => Promise<Response>>(async () => new Response(JSON.stringify([device])));
  const page = await openImport();
  const file = csv(`id,name,type\ni1,uno,toaster\n,due,toaster\n${'\n'.repeat(100_000)}`);
  await act(() => page.file().choose(file, { name: 'one.csv' }));
  await waitFor(() => expect(page.file().check?.invalid).toBe(2));
  await act(async () => void page.file().fix(2, ['i1', 'uno', 'pc']));
  const { check } = page.file();
  expect(check).toMatchObject({ invalid: 1, changes: [2] });
  vi.stubGlobal('fetch', read);
  vi.setSystemTime(Date.now() + 60_000);
  await act(async () => {
    focusManager.setFocused(false);
    focusManager.setFocused(true);
  });
  expect(read).not.toHaveBeenCalled();
  const end = Promise.withResolvers<void>();
  const slice = file.slice.bind(file);
  vi.spyOn(file, 'slice').mockImplementation((from, to) => {
    const piece = slice(from, to);
    if (from !== 0)
      vi.spyOn(piece, 'arrayBuffer').mockReturnValue(end.promise.then(() => slice(from, to).arrayBuffer()));
    return piece;
  });
  await act(() => page.client.refetchQueries({ queryKey: queryKeys.devices.owned }));
  await waitFor(() => expect(page.file().part).toBeLessThan(1));
  // Without a result, the dialog in which the user corrects a row would close.
  expect(page.file().check).toBe(check);
  await act(async () => void page.file().fix(3, ['', 'due', 'pc']));
  end.resolve();
  await waitFor(() => expect(page.file().check?.ids).not.toBe(check?.ids));
  expect(page.file().check).toMatchObject({ invalid: 0, fresh: 1, changes: [2] });
  focusManager.setFocused(undefined);
  vi.useRealTimers();
  await page.close();
});

it('leaves identical rows out while the user wants it, also after the page was left', async () => {
  const first = await openImport();
  await act(() => first.file().choose(csv('name,type\nuno,pc\nuno,pc'), { name: 'one.csv' }));
  await waitFor(() => expect(first.file().check?.repeated).toEqual([3]));
  expect(first.file()).toMatchObject({ check: { fresh: 2 }, omitted: [] });
  await act(async () => first.file().leaveRepeated(true));
  expect(first.file()).toMatchObject({ check: { fresh: 1, repeated: [] }, omitted: [3] });
  await first.close();
  const page = await openImport(first.client);
  await waitFor(() => expect(page.file().check?.fresh).toBe(1));
  await act(async () => page.file().leaveRepeated(false));
  expect(page.file()).toMatchObject({ check: { fresh: 2, repeated: [3] }, omitted: [] });
  await page.close();
});

it('leaves newer rows out of every later run, also those that are newer only then', async () => {
  const page = await openImport();
  const at = '2026-11-20T08:00:00.000Z';
  const stored = ['i1', 'i2'].map((id) => ({ ...device, id, modified_at: at }));
  const read = (changed: string[]) =>
    act(async () =>
      page.client.setQueryData(
        queryKeys.devices.owned,
        stored.map((each) => ({
          ...each,
          ...(changed.includes(each.id) && { modified_at: '2026-11-21T08:00:00.000Z' }),
        })),
      ),
    );
  await read(['i1']);
  const file = csv(`id,name,type,changed_at\ni1,uno,pc,${at}\ni2,due,pc,${at}`);
  await act(() => page.file().choose(file, { name: 'one.csv' }));
  await waitFor(() => expect(page.file().check?.newer).toEqual([2]));
  await act(async () => page.file().leaveNewer(true));
  expect(page.file()).toMatchObject({ check: { changes: [3], newer: [] }, left: { newer: 1 } });
  // The end of any action of the user reads the devices again.
  await read(['i1', 'i2']);
  await waitFor(() => expect(page.file().left.newer).toBe(2));
  expect(page.file().check).toMatchObject({ changes: [], newer: [] });
  await act(async () => page.file().leaveNewer(false));
  expect(page.file().check).toMatchObject({ changes: [2, 3], newer: [2, 3] });
  await page.close();
});

it('takes the correction of a row that has no error any more', async () => {
  const page = await openImport();
  await act(() => page.file().choose(csv('id,name,type\ni1,uno,pc\ni9,due,pc'), { name: 'one.csv' }));
  await waitFor(() => expect(page.file().check?.invalid).toBe(1));
  await act(async () => void page.client.setQueryData(queryKeys.devices.owned, [device, { ...device, id: 'i9' }]));
  await waitFor(() => expect(page.file().check).toMatchObject({ invalid: 0, changes: [2, 3] }));
  await act(async () => void page.file().fix(3, ['', 'due', 'pc']));
  await waitFor(() => expect(page.file().check).toMatchObject({ invalid: 0, fresh: 1, changes: [2] }));
  await page.close();
});

it('reports a file that was changed or moved after it was read', async () => {
  const page = await openImport();
  await act(() => page.file().choose(csv('name,type\nLamp,pc'), { name: 'one.csv' }));
  await act(() => page.file().readAgain(async () => Promise.reject(new DOMException('changed', 'NotReadableError'))));
  expect(page.file().error).toBe('unreadable');
  await page.close();
});

it('reads the file again with the separator that the user chooses', async () => {
  const page = await openImport();
  await act(() => page.file().choose(csv('name,type;note\na,pc;x,y'), { name: 'a.csv' }));
  expect(page.file().chosen?.head).toMatchObject({ separator: ';', names: ['name,type', 'note'] });
  await act(async () => page.file().readAs({ separator: ',' }));
  await waitFor(() => expect(page.file().uses).toEqual(['name', 'skip']));
  await page.close();
});

it('keeps the line of the column names that was chosen when the separator changes, and guesses again otherwise', async () => {
  const page = await openImport();
  const line = () => page.file().chosen?.head.line;
  const file = csv('name,type;note\nBez,Typ;x\na,pc;y');
  await act(() => page.file().choose(file, { name: 'a.csv', like: { separator: ';' } }));
  expect(line()).toBe(1);
  await act(async () => page.file().readAs({ separator: ';', header: 2 }));
  await waitFor(() => expect(line()).toBe(2));
  await act(async () => page.file().readAs({ separator: ',' }));
  await waitFor(() => expect(page.file().chosen?.head).toMatchObject({ separator: ',', names: ['Bez', 'Typ;x'] }));
  await act(() =>
    page.file().choose(csv('made;by;pump\nname,type\na,pc'), { name: 'b.csv', like: { separator: ';' } }),
  );
  expect(line()).toBe(1);
  await act(async () => page.file().readAs({ separator: ',' }));
  await waitFor(() => expect(line()).toBe(2));
  await page.close();
});

it('leaves out a column of ids of another program, also when it or others were mapped by hand', async () => {
  const page = await openImport();
  await act(() => page.file().choose(csv('ID,Bez,type\n1,a,pc\n2,b,pc'), { name: 'a.csv' }));
  expect(page.file().missing).toEqual(['name']);
  await act(async () => page.file().use(1, 'name'));
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 2, invalid: 0 }));
  expect([page.file().uses, page.file().foreignIds]).toEqual([['skip', 'name', 'machine_type'], 0]);
  await act(async () => page.file().use(0, 'id'));
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 2, invalid: 0 }));
  expect([page.file().uses[0], page.file().foreignIds]).toEqual(['skip', 0]);
  const deleted = '01a1fe30-a2a7-7293-b717-11517485ac50';
  await act(() => page.file().choose(csv(`ID,Name,type\n1,a,pc\n${deleted},b,pc`), { name: 'b.csv' }));
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 0, invalid: 2 }));
  await page.close();
});

it('reads a file of a German spreadsheet, with its encoding and its O for the east', async () => {
  const page = await openImport();
  const text =
    'Gerätename;Gerätetyp;Längengrad;Breitengrad\nPrüfstand;pc;8°32\'57,1"O;47°22\'36,8"N\nZürich;pc;8,5;47,4';
  await act(() => page.file().choose(new Blob([Buffer.from(text, 'latin1')]), { name: 'a.csv' }));
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 2, invalid: 0 }));
  expect(page.file().chosen?.head).toMatchObject({
    encoding: 'windows-1252',
    first: expect.arrayContaining(['Prüfstand']),
  });
  expect(page.file().input).toMatchObject({ letterO: 'east' });
  await page.close();
});

it('asks what O means if nothing in the file says it, and beside an E it is the west', async () => {
  const page = await openImport();
  const rows = (...lons: string[]) => csv(['name;type;lon;lat', ...lons.map((lon) => `a;pc;${lon};47`)].join('\n'));
  await act(() => page.file().choose(rows('8.5 O', '9 O'), { name: 'a.csv' }));
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 0, invalid: 2 }));
  expect(page.file().check?.listed[0]?.errors).toEqual([{ column: 'longitude', code: 'letter_o', text: '8.5 O' }]);
  await act(async () => page.file().readLetterO('west'));
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 2, invalid: 0 }));
  await act(() => page.file().choose(rows('8.5 O', '9 E'), { name: 'b.csv' }));
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 2, invalid: 0 }));
  expect(page.file().input).toMatchObject({ letterO: 'west' });
  await page.close();
});

it('reads all rows with a machine type of another program as the one that the user chooses', async () => {
  const page = await openImport();
  await act(() => page.file().choose(csv('name,type\na,Pegel\nb,pegel \nc,Pumpe\nd,pc'), { name: 'a.csv' }));
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 1, invalid: 3 }));
  expect([...page.file().found!.types]).toEqual([
    ['pegel', { text: 'Pegel', rows: 2 }],
    ['pumpe', { text: 'Pumpe', rows: 1 }],
  ]);
  await act(async () => page.file().readMachineType('pegel', 'bug'));
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 3, invalid: 1 }));
  await act(async () => page.file().readMachineType('pegel', 'pc'));
  await waitFor(() => expect(page.file().input?.machineTypes).toEqual({ pegel: 'pc' }));
  await page.close();
});

it('reads all rows of a file without machine types as one that the user chooses', async () => {
  const page = await openImport();
  await act(() => page.file().choose(csv('name,lat\na,1\nb,2'), { name: 'a.csv' }));
  await act(async () => page.file().use(1, 'skip'));
  expect(page.file().missing).toEqual(['machine_type']);
  await act(async () => page.file().readOtherTypes('bug'));
  expect(page.file().missing).toEqual([]);
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 2, invalid: 0 }));
  await page.close();
});

it('reads 2,000 other machine types and rows without one as one that the user chooses, but for single types', async () => {
  const page = await openImport();
  const rows = Array.from({ length: 2000 }, (_, index) => `Station ${index},${20 + index}`);
  await act(() => page.file().choose(csv(`name,type\n${rows.join('\n')}\nlast,`), { name: 'a.csv' }));
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 0, invalid: 2001 }));
  expect(page.file().found).toMatchObject({ hasUntyped: true });
  expect(page.file().found!.types.size).toBe(50);
  await act(async () => page.file().readMachineType('20', 'pc'));
  await act(async () => page.file().readOtherTypes('bug'));
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 2001, invalid: 0 }));
  const { file, header, uses, separator, machineTypes, otherType } = page.file().input!;
  const items = [];
  for await (const item of importItems({
    file,
    header,
    uses,
    separator,
    machineTypes,
    otherType,
    fixes: {},
    changes: [],
    omitted: [],
  }))
    items.push(item);
  expect(items.map((item) => 'create' in item && item.create.machine_type)).toEqual([
    'pc',
    ...Array.from({ length: 2000 }, () => 'bug'),
  ]);
  await page.close();
});

it('reads the same columns in another encoding, with the uses that were chosen by hand', async () => {
  const page = await openImport();
  const text = Buffer.concat([Buffer.from('Naam,type,Größe\nB'), Buffer.from([0x8f]), Buffer.from(',pc,1\n')]);
  await act(() => page.file().choose(new Blob([text]), { name: 'a.csv' }));
  await act(async () => page.file().use(0, 'name'));
  await waitFor(() => expect(page.file().check).toMatchObject({ invalid: 1 }));
  await act(() => page.file().readAs({ encoding: 'macintosh' }));
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 1, invalid: 0 }));
  expect(page.file().chosen?.head.first[0]).toBe('Bè');
  expect(page.file().uses.slice(0, 2)).toEqual(['name', 'machine_type']);
  await page.close();
});

it('has the corrections of each encoding, because their other cells were read in it', async () => {
  const page = await openImport();
  const text = Buffer.concat([Buffer.from('name,type\nB'), Buffer.from([0x8e]), Buffer.from(',toaster\n')]);
  await act(() => page.file().choose(new Blob([text]), { name: 'a.csv', like: { encoding: 'windows-1252' } }));
  await waitFor(() => expect(page.file().check).toMatchObject({ invalid: 1 }));
  await act(async () => void page.file().fix(2, ['BŽ', 'pc']));
  expect(page.file().check).toMatchObject({ fresh: 1, invalid: 0 });
  await act(() => page.file().readAs({ encoding: 'macintosh' }));
  await waitFor(() => expect(page.file().check?.listed[0]?.fields).toEqual(['Bé', 'toaster']));
  expect(page.file().fixes).toEqual({});
  await act(() => page.file().readAs({ encoding: 'windows-1252' }));
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 1, invalid: 0 }));
  expect(page.file().fixes).toEqual({ 2: ['BŽ', 'pc'] });
  await page.close();
});

it('has the uses, the machine types and the corrections of each separator', async () => {
  const page = await openImport();
  await act(() => page.file().choose(csv('Naam;type\nLamp;toaster\n;pc\n'), { name: 'a.csv' }));
  await act(async () => page.file().use(0, 'name'));
  await act(async () => page.file().readOtherTypes('bug'));
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 1, invalid: 1 }));
  await act(async () => void page.file().fix(3, ['Mast', 'pc']));
  await act(async () => void page.file().readAs({ separator: ',' }));
  await waitFor(() => expect(page.file().chosen?.head.separator).toBe(','));
  expect(page.file().fixes).toEqual({});
  expect(asksBeforeUnload()).toBe(true);
  await act(async () => void page.file().readAs({ separator: ';' }));
  await waitFor(() => expect(page.file().check).toMatchObject({ fresh: 2, invalid: 0 }));
  expect(page.file()).toMatchObject({ uses: ['name', 'machine_type'], otherType: 'bug', fixes: { 3: ['Mast', 'pc'] } });
  await page.close();
});

it('keeps the encoding that was chosen when the separator changes', async () => {
  const page = await openImport();
  const text = Buffer.concat([Buffer.from('name,type;note\nB'), Buffer.from([0x8e]), Buffer.from(',pc;x\n')]);
  await act(() => page.file().choose(new Blob([text]), { name: 'a.csv' }));
  await act(() => page.file().readAs({ encoding: 'macintosh' }));
  await act(async () => page.file().readAs({ separator: ',' }));
  await waitFor(() => expect(page.file().uses).toEqual(['name', 'skip']));
  expect(page.file().chosen?.head).toMatchObject({ separator: ',', encoding: 'macintosh', first: ['Bé', 'pc;x'] });
  await page.close();
});

it('says that a file cannot be read in an encoding, until one is chosen that works', async () => {
  const page = await openImport();
  const text = Buffer.from('\uFEFFname,type\nLamp,pc\n', 'utf16le');
  await act(() => page.file().choose(new Blob([text]), { name: 'a.csv' }));
  await act(() => page.file().readAs({ encoding: 'utf-8' }));
  expect(page.file()).toMatchObject({ error: 'wrong_encoding', input: { encoding: 'utf-16le' } });
  await act(() => page.file().readAs({ encoding: 'utf-16le' }));
  expect(page.file().error).toBeNull();
  await page.close();
});

it('keeps a file that was chosen while another encoding of the one before was read', async () => {
  const page = await openImport();
  await act(() => page.file().choose(csv('name,type\nfirst,pc'), { name: 'first.csv' }));
  const { readAs } = page.file();
  const end = Promise.withResolvers<void>();
  const slow = page.file().chosen!.file;
  const read = slow.arrayBuffer.bind(slow);
  vi.spyOn(slow, 'arrayBuffer').mockImplementation(() => end.promise.then(read));
  await act(async () => {
    const decoded = readAs({ encoding: 'macintosh' });
    await page.file().choose(csv('name,type\nsecond,pc'), { name: 'second.csv' });
    end.resolve();
    await decoded;
  });
  expect(page.file().chosen?.name).toBe('second.csv');
  expect(page.file().input?.encoding).toBe('utf-8');
  await page.close();
});

it('keeps the use of a column that was chosen while another encoding was read', async () => {
  const page = await openImport();
  await act(() => page.file().choose(csv('Naam,type\nfirst,pc'), { name: 'first.csv' }));
  await act(async () => {
    const decoded = page.file().readAs({ encoding: 'macintosh' });
    page.file().use(0, 'name');
    await decoded;
  });
  expect(page.file().uses).toEqual(['name', 'machine_type']);
  await page.close();
});

const asksBeforeUnload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

it('says on other pages that a corrected file would be lost, until the import is given up', async () => {
  const page = await openImport();
  await act(() => page.file().choose(csv('name,type\nLamp,toaster'), { name: 'lamps.csv' }));
  await waitFor(() => expect(page.file().check?.invalid).toBe(1));
  await act(async () => void page.file().fix(2, ['Lamp', 'pc']));
  await page.close();
  expect([wouldLoseInput(), hasUnsavedInput(), asksBeforeUnload()]).toEqual([true, false, true]);

  const again = await openImport(page.client);
  await waitFor(() => expect(again.file().fixes).toEqual({ 2: ['Lamp', 'pc'] }));
  await act(async () => again.file().forget());
  await again.close();
  expect([wouldLoseInput(), asksBeforeUnload()]).toEqual([false, false]);
});

it.each(['leaveNewer', 'leaveRepeated', 'leaveKnown'] as const)(
  'asks before the choice of %s is lost',
  async (leave) => {
    const page = await openImport();
    await act(() => page.file().choose(csv('name,type\none,pc'), { name: 'lamps.csv' }));
    await waitFor(() => expect(page.file().check?.invalid).toBe(0));
    expect(asksBeforeUnload()).toBe(false);
    await act(async () => page.file()[leave](true));
    expect(asksBeforeUnload()).toBe(true);
    await act(async () => page.file().forget());
    await page.close();
  },
);

it('asks no more for a corrected file that was discarded, whatever else would be lost', async () => {
  const page = await openImport();
  await act(() => page.file().choose(csv('name,type\nLamp,toaster'), { name: 'lamps.csv' }));
  await waitFor(() => expect(page.file().check?.invalid).toBe(1));
  await act(async () => void page.file().fix(2, ['Lamp', 'pc']));
  await page.close();
  expect(asksBeforeUnload()).toBe(true);
  discardUnsavedInput();
  const other = Symbol();
  reported.set(other, 'typed');
  expect([wouldLoseInput(), asksBeforeUnload()]).toEqual([true, false]);
  discardUnsavedInput();
});
