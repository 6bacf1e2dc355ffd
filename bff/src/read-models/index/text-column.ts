import { mayBeginId } from '../../core/store/search-text.ts';

/** A search skips this many texts with one `indexOf` if none of them matches. */
const blockSize = 64;
const blocksAtOnce = 256;

/** Texts by slot, in blocks of joined lines. Texts must not contain line breaks. */
function createLines() {
  /** A block is split while lines of it change, and joined when it is searched. */
  const blocks: (string | string[])[] = [];

  return {
    put(slot: number, text: string): void {
      const number = Math.floor(slot / blockSize);
      const block = blocks[number] ?? [];
      const lines = typeof block === 'string' ? block.split('\n') : block;
      const line = slot % blockSize;
      while (lines.length < line) lines.push('');
      lines[line] = text;
      // Joined texts take half the memory: the last line of a block is the last one that is added to it.
      blocks[number] = line === blockSize - 1 ? lines.join('\n') : lines;
    },
    clear(): void {
      blocks.length = 0;
    },
    /** Visits the slots of the lines that contain the word. Yields every few milliseconds. */
    *find(word: string, visit: (slot: number) => void): Generator<void, void> {
      for (let number = 0; number < blocks.length; number++) {
        if (number % blocksAtOnce === blocksAtOnce - 1) yield;
        const block = blocks[number] ?? '';
        const text = typeof block === 'string' ? block : block.join('\n');
        blocks[number] = text;
        let slot = number * blockSize;
        let start = 0;
        for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, start)) {
          let endIndex = text.indexOf('\n', start);
          for (; endIndex !== -1 && endIndex < at; endIndex = text.indexOf('\n', start)) {
            slot += 1;
            start = endIndex + 1;
          }
          visit(slot);
          if (endIndex === -1) break;
          slot += 1;
          start = endIndex + 1;
        }
      }
    },
  };
}

/** What a search looks at. The texts are folded (search-text.ts). */
export interface SearchedTexts {
  id: string;
  name: string;
  description: string | null;
  /** Null if the owner's name is not searched. */
  owner: string | null;
}

/** Between the texts of a device: words contain no whitespace, so none matches across. */
const separator = '\r';
const withoutBreaks = (text: string) =>
  text.includes('\n') || text.includes(separator) ? text.replaceAll(/[\n\r]/g, ' ') : text;

function textOf({ name, description, owner }: SearchedTexts): string {
  let text = withoutBreaks(name);
  if (description !== null) text += separator + withoutBreaks(description);
  return owner === null ? text : text + separator + owner;
}

/** How the line of an id begins that has these digits first. */
function idLine(digits: string): string {
  const groups = [0, 8, 12, 16, 20].map((start, group, starts) => digits.slice(start, starts[group + 1]));
  return separator + groups.filter((each) => each !== '').join('-');
}

export function matchesWords(device: SearchedTexts, words: readonly string[]): boolean {
  const text = textOf(device);
  return words.every(
    (word) => text.includes(word) || (mayBeginId(word) && (separator + device.id).startsWith(idLine(word))),
  );
}

export type TextColumn = ReturnType<typeof createTextColumn>;

/** The texts of the devices of a table, by slot. Above `mostBytes` it stores none, until the table is read again. */
export function createTextColumn({ mostBytes }: { mostBytes: number }) {
  const texts = createLines();
  const ids = createLines();
  let sizes = new Uint32Array(blockSize);
  let bytes = 0;
  let isStored = true;

  function setSize(slot: number, size: number) {
    if (slot >= sizes.length) {
      const larger = new Uint32Array(Math.ceil(slot * 1.5));
      larger.set(sizes);
      sizes = larger;
    }
    bytes += size - sizes[slot]!;
    sizes[slot] = size;
  }

  return {
    get bytes(): number {
      return (isStored ? bytes : 0) + sizes.byteLength;
    },
    /** False if the texts are too large: then the database has to search. */
    get isStored(): boolean {
      return isStored;
    },
    put(slot: number, device: SearchedTexts): void {
      if (!isStored) return;
      const text = textOf(device);
      const id = separator + device.id;
      setSize(slot, sizeOf(text) + id.length);
      texts.put(slot, text);
      ids.put(slot, id);
      if (bytes <= mostBytes) return;
      isStored = false;
      texts.clear();
      ids.clear();
    },
    remove(slot: number): void {
      if (!isStored) return;
      setSize(slot, 0);
      texts.put(slot, '');
      ids.put(slot, '');
    },
    /** Visits the slots of the devices that have the word in a text, or that have an id that begins with it. */
    *find(word: string, visit: (slot: number) => void): Generator<void, void> {
      yield* texts.find(word, visit);
      if (mayBeginId(word)) yield* ids.find(idLine(word), visit);
    },
  };
}

/** In bytes: a string with one letter beyond Latin-1 has two bytes for each. */
function sizeOf(text: string): number {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 255) return 2 * text.length;
  return text.length;
}
