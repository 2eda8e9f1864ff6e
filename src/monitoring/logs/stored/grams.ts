/**
 * Which texts a block of text may contain: a bitmap of hashes of all runs of four characters in it. A search asks for parts of words as well as for words,
 * which an index of whole words could not answer.
 */
const LENGTH = 4;
const LARGEST_BITS = 1 << 17;
const SMALLEST_BITS = 1 << 9;
/** The bitmap is halved as long as no more than one bit in so many is set afterwards. */
const SPARE = 8;

/** The bitmap of a text in lower case. */
export function indexText(lowered: string): Uint8Array {
  const bits = new Uint8Array(LARGEST_BITS / 8);
  let set = 0;
  let gram = 0;
  for (let at = 0; at < lowered.length; at += 1) {
    gram = (gram << 8) | (lowered.charCodeAt(at) & 255);
    if (at < LENGTH - 1) continue;
    const hash = hashOf(gram);
    const byte = hash >>> 3;
    const bit = 1 << (hash & 7);
    const held = bits[byte] ?? 0;
    if ((held & bit) !== 0) continue;
    bits[byte] = held | bit;
    set += 1;
  }
  return folded(bits, set);
}

/** The hashes that a bitmap has of every text with this part, which is in lower case. Empty: it is too short to decide. */
export function hashesOf(lowered: string): number[] {
  const hashes = new Set<number>();
  let gram = 0;
  for (let at = 0; at < lowered.length; at += 1) {
    gram = (gram << 8) | (lowered.charCodeAt(at) & 255);
    if (at >= LENGTH - 1) hashes.add(hashOf(gram));
  }
  return [...hashes];
}

/** False: the text of this bitmap has no part with these hashes. An empty bitmap says nothing. */
export function mayContain(bits: Uint8Array, hashes: readonly number[]): boolean {
  if (bits.length === 0) return true;
  const last = bits.length * 8 - 1;
  return hashes.every((hash) => ((bits[(hash & last) >>> 3] ?? 0) & (1 << (hash & 7))) !== 0);
}

function hashOf(gram: number): number {
  return Math.imul(gram, 0x9e3779b1) >>> 15;
}

function folded(bits: Uint8Array, set: number): Uint8Array {
  let kept = bits;
  while (kept.length * 8 > SMALLEST_BITS && set * SPARE <= kept.length * 4) {
    const half = kept.slice(0, kept.length / 2);
    for (let at = 0; at < half.length; at += 1) half[at] = (half[at] ?? 0) | (kept[at + half.length] ?? 0);
    kept = half;
  }
  return kept;
}
