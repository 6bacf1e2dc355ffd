/** The parser of `mqtt-packet`, which goes on after a field that is cut. This one does not. */
import { parser as createParser } from 'mqtt-packet';

type Parser = ReturnType<typeof createParser>;
/** What the types of the package leave out. */
interface Fields {
  settings: { protocolVersion?: number };
  packet: { cmd?: string };
  _pos: number;
  _list: { length: number };
  _parseByte(): number;
  _parseByType(type: string): unknown;
  _parseVarByteNum(): number | false;
  _parseProperties(): object | false;
}

const simpleFields = ['_parseByte', '_parseNum', '_parse4ByteNum', '_parseString', '_parseBuffer'];
const lenient = Object.getPrototypeOf(createParser()) as Fields & Record<string, () => unknown>;

const strict = Object.assign(Object.create(lenient) as Fields, {
  ...Object.fromEntries(
    simpleFields.map((name) => {
      function strictly(this: Fields) {
        const value = lenient[name]!.call(this);
        if (value === undefined || value === null || value === -1) throw new Error('a field is cut');
        return value;
      }
      return [name, strictly];
    }),
  ),
  _parseByType(this: Fields, type: string) {
    if (type !== 'byte') return lenient._parseByType.call(this, type);
    const byte = this._parseByte();
    return byte > 1 ? byte : byte === 1;
  },
  _parseProperties(this: Fields) {
    const start = this._pos;
    // Only DISCONNECT may end before them.
    if (start === this._list.length && this.packet.cmd === 'disconnect') return {};
    const length = this._parseVarByteNum();
    if (length === false) throw new Error('a field is cut');
    const end = this._pos + length;
    this._pos = start;
    const found = lenient._parseProperties.call(this);
    if (this._pos !== end) throw new Error('a property is cut');
    return found;
  },
});

/** Its `parse` throws if a field is cut. A byte that must be 0 or 1 and is another number is returned as this number. */
export const createStrictParser = () =>
  Object.setPrototypeOf(createParser(), strict) as Parser & Pick<Fields, 'settings'>;
