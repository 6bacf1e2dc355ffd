/**
 * How far a job has come whose rows end out of turn: every row that begins before the mark has ended. What is kept is
 * the mark and what it has behind it; rows beyond it are sent again, under the keys they had.
 */
interface Mark {
  /** In the order of the file. */
  begin(line: number): void;
  end(line: number): void;
  /** The first line that has not ended. */
  before(): number;
}

export function createMark(start: number): Mark {
  const open: number[] = [];
  const ended = new Set<number>();
  let mark = start;
  let first = 0;
  return {
    begin: (line) => void open.push(line),
    end(line) {
      ended.add(line);
      for (let next = open[first]; next !== undefined && ended.delete(next); next = open[first]) {
        first += 1;
        mark = next + 1;
      }
      if (first < 1000) return;
      open.splice(0, first);
      first = 0;
    },
    before: () => mark,
  };
}
