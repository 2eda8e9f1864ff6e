/** Where a record is found: in which zip file or folder of a list, and what leads to it there. */
export type Place = { container: number; at: number; bytes: number } | { container: number; name: string };

export interface RecordIndex {
  /** False when there is no room for it. */
  add(place: Place, keys: readonly string[]): boolean;
  /** Numbers of records that may have the key: some may not, so each is looked at. */
  candidates(key: string): number[];
  place(record: number): Place;
  readonly size: number;
}

const MOST_RECORDS = 1_500_000;
/** Keys of all records together. */
const MOST_KEYS = 6_000_000;
const MOST_NAME_BYTES = 96 * 1_048_576;
const BUCKETS = 2 ** 18;
/** Marks a record that is a file in a folder; its place then says where its name is. */
const NAMED = 0x8000_0000;

/**
 * Which records may be about a package, in some 12 bytes a key and 16 a record, since there are hundreds of thousands: of a key only its hash is
 * kept, and of a record only where it is.
 */
export function createRecordIndex({ mostRecords = MOST_RECORDS, mostKeys = MOST_KEYS } = {}): RecordIndex {
  /** The last key of each bucket, plus one. */
  const heads = new Uint32Array(BUCKETS);
  const keys = { hash: growing(mostKeys), record: growing(mostKeys), next: growing(mostKeys), count: 0 };
  const records = { container: growing(mostRecords), at: growing(mostRecords), bytes: growing(mostRecords), count: 0 };
  const names = new ArrayBuffer(0, { maxByteLength: MOST_NAME_BYTES });
  let nameBytes = 0;

  function addName(name: Buffer): number | undefined {
    if (nameBytes + name.length > MOST_NAME_BYTES) return undefined;
    const at = nameBytes;
    nameBytes += name.length;
    if (nameBytes > names.byteLength) names.resize(Math.min(MOST_NAME_BYTES, Math.max(65_536, Math.ceil(nameBytes * 1.25))));
    name.copy(new Uint8Array(names), at);
    return at;
  }

  return {
    add(place, given) {
      if (records.count >= mostRecords || keys.count + given.length > mostKeys) return false;
      const name = "name" in place ? Buffer.from(place.name) : undefined;
      const at = name === undefined ? ("at" in place ? place.at : 0) : addName(name);
      if (at === undefined) return false;
      const record = records.count;
      records.count += 1;
      records.container.set(record, name === undefined ? place.container : (place.container | NAMED) >>> 0);
      records.at.set(record, at);
      records.bytes.set(record, name?.length ?? ("bytes" in place ? place.bytes : 0));
      for (const key of new Set(given)) {
        const hash = hashOf(key);
        const bucket = hash % BUCKETS;
        keys.hash.set(keys.count, hash);
        keys.record.set(keys.count, record);
        keys.next.set(keys.count, heads[bucket] ?? 0);
        keys.count += 1;
        heads[bucket] = keys.count;
      }
      return true;
    },

    candidates(key) {
      const hash = hashOf(key);
      const found: number[] = [];
      for (let link = heads[hash % BUCKETS] ?? 0; link !== 0; link = keys.next.get(link - 1))
        if (keys.hash.get(link - 1) === hash) found.push(keys.record.get(link - 1));
      return found.reverse();
    },

    place(record) {
      const container = records.container.get(record);
      const at = records.at.get(record);
      const bytes = records.bytes.get(record);
      if ((container & NAMED) === 0) return { container, at, bytes };
      return { container: container & ~NAMED, name: Buffer.from(names, at, bytes).toString() };
    },

    get size() {
      return records.count;
    },
  };
}

/** Numbers below 2^32 in a row that grows where it is. */
function growing(most: number) {
  const buffer = new ArrayBuffer(0, { maxByteLength: 4 * most });
  const numbers = new Uint32Array(buffer);
  return {
    get: (index: number): number => numbers[index] ?? 0,
    set(index: number, value: number): void {
      if (index >= numbers.length) buffer.resize(4 * Math.min(most, Math.max(16_384, Math.ceil((index + 1) * 1.25))));
      numbers[index] = value;
    },
  };
}

/** FNV-1a, mixed once more so that its low bits serve as well. */
function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
