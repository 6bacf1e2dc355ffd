const fullest = 0.7;
const least = 64;

/** The location of each device by its ref: an open-addressing hash table. */
export function createRefHashMap() {
  let refs = new Uint32Array(least);
  let wheres = new Uint32Array(least);
  let size = 0;

  const home = (ref: number) => (Math.imul(ref, 0x9e3779b1) >>> 0) & (refs.length - 1);

  /** The slot of the ref, or the free slot where it would be added. */
  function find(ref: number): number {
    let at = home(ref);
    while (refs[at] !== 0 && refs[at] !== ref) at = (at + 1) & (refs.length - 1);
    return at;
  }

  function grow() {
    const [oldRefs, oldWheres] = [refs, wheres];
    refs = new Uint32Array(oldRefs.length * 2);
    wheres = new Uint32Array(refs.length);
    for (let at = 0; at < oldRefs.length; at++) {
      const ref = oldRefs[at]!;
      if (ref === 0) continue;
      const place = find(ref);
      refs[place] = ref;
      wheres[place] = oldWheres[at]!;
    }
  }

  return {
    get size(): number {
      return size;
    },
    get bytes(): number {
      return refs.byteLength + wheres.byteLength;
    },
    /** Undefined if there is none. */
    get(ref: number): number | undefined {
      const at = find(ref);
      return refs[at] === ref ? wheres[at] : undefined;
    },
    set(ref: number, where: number): void {
      let at = find(ref);
      if (refs[at] === 0) {
        if (size + 1 > refs.length * fullest) {
          grow();
          at = find(ref);
        }
        size += 1;
        refs[at] = ref;
      }
      wheres[at] = where;
    },
    delete(ref: number): void {
      let hole = find(ref);
      if (refs[hole] !== ref) return;
      size -= 1;
      // Moves later entries into the hole, because a lookup would stop there.
      for (let at = (hole + 1) & (refs.length - 1); refs[at] !== 0; at = (at + 1) & (refs.length - 1)) {
        const fromHome = (at - home(refs[at]!)) & (refs.length - 1);
        const fromHole = (at - hole) & (refs.length - 1);
        if (fromHome < fromHole) continue;
        refs[hole] = refs[at]!;
        wheres[hole] = wheres[at]!;
        hole = at;
      }
      refs[hole] = 0;
    },
    /** In no particular order. */
    each(visit: (ref: number, where: number) => void): void {
      for (let at = 0; at < refs.length; at++) if (refs[at] !== 0) visit(refs[at]!, wheres[at]!);
    },
  };
}
