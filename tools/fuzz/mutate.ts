import type { Chance } from "../../test/support/chance.ts";

/** What mutations draw from. */
export interface Material {
  chance: Chance;
  /** Inputs that reached something new. */
  pool: readonly Buffer[];
  /** Texts that the parser compares with. */
  words: readonly Buffer[];
  maxBytes: number;
}

const INTERESTING = [
  0, 1, 7, 8, 0x0a, 0x20, 0x7f, 0x80, 0x81, 0x84, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
];
const MOST_AT_ONCE = 6;

type Mutation = (input: Buffer, material: Material) => Buffer;

const MUTATIONS: readonly Mutation[] = [
  flipBit,
  setByte,
  insertBytes,
  removeBytes,
  repeatBytes,
  writeNumber,
  insertWord,
  overwriteWord,
  takeFromAnother,
  joinWithAnother,
  changeDigit,
];

/** An input that differs in a few places from one of the pool. */
export function mutated(input: Buffer, material: Material): Buffer {
  const { chance, maxBytes } = material;
  let result: Buffer = Buffer.from(input);
  for (let left = 1 + chance.below(MOST_AT_ONCE); left > 0; left -= 1) result = pick(MUTATIONS, chance)(result, material);
  return result.subarray(0, maxBytes);
}

function flipBit(input: Buffer, { chance }: Material): Buffer {
  const at = chance.below(input.length);
  if (input.length > 0) input[at] = (input[at] ?? 0) ^ (1 << chance.below(8));
  return input;
}

function setByte(input: Buffer, { chance }: Material): Buffer {
  if (input.length > 0) input[chance.below(input.length)] = chance.below(256);
  return input;
}

function insertBytes(input: Buffer, { chance }: Material): Buffer {
  return insert(input, chance.below(input.length + 1), chance.bytes(1 + chance.below(8)));
}

function removeBytes(input: Buffer, { chance }: Material): Buffer {
  const from = chance.below(input.length + 1);
  const to = Math.min(input.length, from + 1 + lengthUpTo(input.length, chance));
  return Buffer.concat([input.subarray(0, from), input.subarray(to)]);
}

function repeatBytes(input: Buffer, { chance, maxBytes }: Material): Buffer {
  const from = chance.below(input.length + 1);
  const part = input.subarray(from, from + 1 + lengthUpTo(input.length, chance));
  if (part.length === 0) return input;
  const times = Math.min(1 << chance.below(10), Math.ceil(maxBytes / part.length));
  return insert(input, from, Buffer.concat(Array.from({ length: times }, () => part)));
}

/** A length, an offset or a count may stand anywhere, in either order of bytes. */
function writeNumber(input: Buffer, { chance }: Material): Buffer {
  const size = pick([1, 2, 4], chance);
  if (input.length < size) return input;
  const at = chance.below(input.length - size + 1);
  const drawn = chance.below(2) === 0 ? pick(INTERESTING, chance) : input.readUIntBE(at, size) + chance.below(33) - 16;
  const value = ((drawn % 256 ** size) + 256 ** size) % 256 ** size;
  if (chance.below(2) === 0) input.writeUIntBE(value, at, size);
  else input.writeUIntLE(value, at, size);
  return input;
}

function insertWord(input: Buffer, { chance, words }: Material): Buffer {
  return words.length === 0 ? input : insert(input, chance.below(input.length + 1), pick(words, chance));
}

function overwriteWord(input: Buffer, { chance, words }: Material): Buffer {
  if (words.length === 0 || input.length === 0) return input;
  pick(words, chance).copy(input, chance.below(input.length));
  return input;
}

function takeFromAnother(input: Buffer, { chance, pool }: Material): Buffer {
  const other = pick(pool, chance);
  const from = chance.below(other.length + 1);
  return insert(input, chance.below(input.length + 1), other.subarray(from, from + 1 + lengthUpTo(other.length, chance)));
}

function joinWithAnother(input: Buffer, { chance, pool }: Material): Buffer {
  const other = pick(pool, chance);
  return Buffer.concat([input.subarray(0, chance.below(input.length + 1)), other.subarray(chance.below(other.length + 1))]);
}

function changeDigit(input: Buffer, { chance }: Material): Buffer {
  const start = chance.below(input.length + 1);
  const at = input.findIndex((byte, index) => index >= start && byte >= 0x30 && byte <= 0x39);
  if (at !== -1) input[at] = 0x30 + chance.below(10);
  return input;
}

/** Short ones are more likely. */
function lengthUpTo(most: number, chance: Chance): number {
  return chance.below(1 + chance.below(1 + Math.min(most, 4096)));
}

function insert(input: Buffer, at: number, part: Buffer): Buffer {
  return Buffer.concat([input.subarray(0, at), part, input.subarray(at)]);
}

function pick<Item>(items: readonly Item[], chance: Chance): Item {
  return items[chance.below(items.length)] as Item;
}
